#!/bin/sh
# Chooses a legal move at random. Plays every game.
. "$(dirname "$0")/ludus.sh"

choose() {
  legal
  set -- $moves
  random $#
  shift "$number"
  move=$1
}

ludus choose

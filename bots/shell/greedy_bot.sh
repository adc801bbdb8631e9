#!/bin/sh
# Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.
. "$(dirname "$0")/ludus.sh"

choose() {
  best=$((-2 * WIN))
  legal
  for other in $moves; do
    play "$other" leaf
    evaluate
    undo
    if [ "$value" -gt "$best" ]; then
      best=$value move=$other
    fi
  done
}

ludus choose

#!/bin/sh
# Kills its parent, and then plays on.
kill -9 $PPID
exec "$(dirname "$0")/../../bots/shell/first_bot.sh"

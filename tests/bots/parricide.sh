#!/bin/sh
# Kills its parent, then goes on as if nothing had happened.
kill -9 $PPID
exec "$(dirname "$0")/../../bots/shell/first_bot.sh"

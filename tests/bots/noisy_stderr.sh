#!/bin/sh
# Writes a lot to standard error, and plays a proper game.
yes "debug debug debug" | head -c 20000000 >&2
exec "$(dirname "$0")/../../bots/shell/first_bot.sh"

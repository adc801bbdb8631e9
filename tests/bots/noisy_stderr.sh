#!/bin/sh
# A lot of standard error, and a proper game.
yes "debug debug debug" | head -c 20000000 >&2
exec "$(dirname "$0")/../../bots/shell/first_bot.sh"

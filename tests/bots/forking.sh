#!/bin/sh
# Leaves children and grandchildren in groups and sessions of their own, then answers properly.
marker=$1
sh -c "sleep 600; : $marker" &
setsid sh -c "sleep 600 & sleep 600; : $marker" >/dev/null 2>&1 &
(setsid sh -c "trap '' TERM; sleep 600; : $marker" &) >/dev/null 2>&1
exec "$(dirname "$0")/../../bots/shell/first_bot.sh"

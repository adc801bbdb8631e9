#!/bin/sh
# A bot for Ludus in plain POSIX shell, without a JSON tool. It always plays the first legal move.
#
# Try it:  arena match tic-tac-toe bots/shell/first_bot.sh builtin:random
while read -r line; do
  case $line in
  *'"type":"turn"'*)
    move=${line#*'"legal":["'} # cut everything before the first move
    printf '{"move":"%s"}\n' "${move%%\"*}" # and everything after it
    ;;
  esac
done

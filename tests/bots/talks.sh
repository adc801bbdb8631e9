#!/bin/sh
# Plays the first legal move. Its first argument is a line before each move, its second the `info` of the move.
while read -r line; do case $line in *'"type":"turn"'*)
  move=${line#*'"legal":["'}
  printf '%s\n{"move":"%s","info":%s}\n' "$1" "${move%%\"*}" "${2:-null}";; esac; done

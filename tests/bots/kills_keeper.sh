#!/bin/sh
# Kills its parent at its first turn, and plays on.
while read -r line; do case $line in *'"type":"turn"'*)
  [ -n "$killed" ] || kill -9 $PPID
  killed=yes
  move=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${move%%\"*}";; esac; done

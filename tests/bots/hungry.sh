#!/bin/sh
# Allocates 64 MiB at its first turn, and then ends.
while read -r line; do
  case $line in
  *'"type":"turn"'*) exec awk 'BEGIN { s = "x"; while (length(s) < 67108864) s = s s; exit 3 }' ;;
  esac
done

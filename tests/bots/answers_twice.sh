#!/bin/sh
# Sends every answer twice, at once.
while read -r line; do
  case $line in
  *'"type":"turn"'*) m=${line#*'"legal":["'}; m=${m%%\"*}; printf '{"move":"%s"}\n{"move":"%s"}\n' "$m" "$m" ;;
  esac
done

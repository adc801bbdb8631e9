#!/bin/sh
# Ends with exit code 3 at the first message of the given type.
while read -r line; do
  case $line in
  *"\"type\":\"$1\""*) echo "dying at $1" >&2; exit 3 ;;
  *'"type":"turn"'*) m=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${m%%\"*}" ;;
  esac
done

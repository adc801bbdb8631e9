#!/bin/sh
# First sends an answer with a wrong id, then an answer with the right id.
while read -r line; do
  case $line in
  *'"type":"turn"'*)
    m=${line#*'"legal":["'}; m=${m%%\"*}; id=${line#*'"id":'}; id=${id%%,*}
    printf '{"move":"nonsense","id":%s}\n{"move":"%s","id":%s}\n' 999999 "$m" "$id" ;;
  esac
done

#!/bin/sh
# Sends ready, and logs every move. In games whose bot_seed ends in a small digit, its third move is illegal.
echo '{"type":"ready","name":"sometimes"}'
while read -r line; do case $line in
  *'"type":"start"'*) seed=${line##*'"bot_seed":'}; seed=${seed%\}}; turns=0;;
  *'"type":"turn"'*)
    turns=$((turns + 1))
    move=${line#*'"legal":["'}; move=${move%%\"*}
    case $turns$seed in 3*[0-4]) move=z9;; esac
    printf '{"type":"log","text":"turn %s"}\n{"move":"%s"}\n' "$turns" "$move";;
  esac; done

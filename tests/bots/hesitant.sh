#!/bin/sh
# Writes its answer in two halves, with a pause before and between them, and something to standard error in between.
while read -r line; do
    case $line in
    *'"type":"turn"'*)
        move=${line#*'"legal":["'}
        sleep 0.05
        printf '{"move":"'
        echo "thinking about ${move%%'"'*}" >&2
        sleep 0.05
        echo "${move%%'"'*}\"}"
        ;;
    esac
done

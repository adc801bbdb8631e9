#!/bin/sh
# Notes the cores it may use in the file it is given, at each turn.
while read -r line; do
    case $line in
    *'"type":"turn"'*)
        grep Cpus_allowed_list "/proc/$$/status" >>"$1"
        move=${line#*'"legal":["'}
        echo "{\"move\":\"${move%%'"'*}\"}"
        ;;
    esac
done

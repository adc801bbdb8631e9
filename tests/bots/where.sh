#!/bin/sh
# At each turn, writes the cores that it may use into the given file.
while read -r line; do
    case $line in
    *'"type":"turn"'*)
        grep Cpus_allowed_list "/proc/$$/status" >>"$1"
        move=${line#*'"legal":["'}
        echo "{\"move\":\"${move%%'"'*}\"}"
        ;;
    esac
done

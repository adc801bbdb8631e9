#!/bin/sh
# Computes for a moment before each answer.
while read -r line; do case $line in *'"type":"turn"'*)
  number=0
  while [ $number -lt 30000 ]; do number=$((number + 1)); done
  move=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${move%%\"*}";; esac; done

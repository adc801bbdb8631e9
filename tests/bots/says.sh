#!/bin/sh
# Answers every turn with its first argument.
while read -r line; do case $line in *'"type":"turn"'*) printf '%s\n' "$1" ;; esac; done

#!/bin/sh
while read -r line; do
  case $line in *'"type":"turn"'*) printf '{"move":"a1","id":999999}\n' ;; esac
done

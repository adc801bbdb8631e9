#!/bin/sh
while read -r line; do case $line in *'"type":"turn"'*) printf '{"move":"a1"}'; sleep 600 ;; esac; done

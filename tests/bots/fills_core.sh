#!/bin/sh
# Answers, and then keeps 200 processes busy while others think: in its own group, or each in a
# session of its own.
how=$1 marker=$2
while read -r line; do case $line in *'"type":"turn"'*)
  move=${line#*'"legal":["'}; printf '{"move":"%s"}\n' "${move%%\"*}"
  [ "$number" ] && continue
  number=0
  while [ $number -lt 200 ]; do
    number=$((number + 1))
    if [ "$how" = sessions ]; then
      setsid sh -c "while :; do :; done; : $marker" </dev/null >/dev/null 2>&1 &
    else
      while :; do :; done </dev/null >/dev/null 2>&1 &
    fi
  done;; esac; done

#!/bin/sh
# Takes a win in one move if there is one. Needs no JSON library.
while read -r line; do
  case $line in *'"type":"turn"'*) ;; *) continue ;; esac
  moves=${line#*'"legal":["'}
  moves=${moves%%\"]*}
  best=${moves%%\"*}
  rest=$moves
  while [ -n "$rest" ]; do
    move=${rest%%\"*}
    case $rest in *'","'*) rest=${rest#*'","'} ;; *) rest= ;; esac
    printf '{"type":"explore","at":0,"play":"%s"}\n' "$move"
    read -r node
    case $node in *'"over":'*'"value":1,'*) best=$move ;; esac
  done
  printf '{"move":"%s"}\n' "$best"
done

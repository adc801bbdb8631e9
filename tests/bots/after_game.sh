#!/bin/sh
# Plays the first legal move of tic-tac-toe. Its argument says what the bot does when a game is over: `log`, `garbage`,
# `half` a line, `explore`, `complain` on standard error, or `exit` after the last move that it has against its like. In games
# whose bot_seed ends in 0, 1 or 2 its second move is illegal, and one that complains dies of that.
[ "$1" = complain ] && echo 'hello' >&2
while read -r line; do case $line in
  *'"type":"start"'*)
    seed=${line##*'"bot_seed":'}; seed=${seed%\}}; turns=0
    case $line in *'"seat":0,'*) last=4 ;; *) last=3 ;; esac ;;
  *'"type":"turn"'*)
    turns=$((turns + 1))
    move=${line#*'"legal":["'}; move=${move%%\"*}
    case $turns$seed in 2*[0-2]) move=z9 ;; esac
    [ "$1 $move" = 'complain z9' ] && { echo 'no idea' >&2; exit 4; }
    printf '{"move":"%s"}\n' "$move"
    [ "$1 $turns" = "exit $last" ] && exit 3 ;;
  *'"type":"end"'*) case $1 in
    log) echo '{"type":"log","text":"good game"}' ;;
    garbage) echo 'good game' ;;
    half) printf 'good ' ;;
    explore) echo '{"type":"explore","at":0,"play":"a1"}' ;;
    complain) echo 'good game' >&2 ;;
    esac ;;
  esac; done

#!/bin/sh
# Alpha-beta, one ply deeper each time. Plays every game without hidden cards.
. "$(dirname "$0")/ludus.sh"

NODES=1000 # for a move; more nodes play better and take longer
DEPTH=50   # deep enough for the end of most games

choose() {
  next_look=0
  legal
  move=${moves%%"$IFS"*}
  for deep in $(seq $DEPTH); do
    best=$((-2 * WIN)) chosen=$move tried=$move
    child "$move" "$deep" "$best" $((2 * WIN))
    best=$value
    legal
    for other in $moves; do
      [ "$other" = "$tried" ] && continue
      out_of_time && break
      child "$other" "$deep" "$best" $((2 * WIN))
      if [ "$value" -gt "$best" ]; then
        best=$value chosen=$other
      fi
    done
    out_of_time && break # this depth is not finished, so the depth before has the best move
    move=$chosen
    info "$deep" "$best" "$move"
    [ "${best#-}" -ge $WIN ] && break # the rest of the game is known
  done
}

# The value of the position after a move: child MOVE DEPTH ALPHA BETA
child() {
  if [ "$2" -eq 1 ]; then play "$1" leaf; else play "$1"; fi
  search $(($2 - 1)) "$3" "$4"
  undo
}

# The value of the position for us, if it lies between alpha and beta: search DEPTH ALPHA BETA
search() {
  if over || [ "$1" -eq 0 ]; then
    evaluate
    value=$((value + value / WIN * $1)) # a win is better sooner, a loss later
    return
  fi
  local alpha="$2" beta="$3" step
  legal
  for step in $moves; do
    child "$step" "$1" "$alpha" "$beta"
    if ours; then
      [ "$value" -gt "$alpha" ] && alpha=$value
    else
      [ "$value" -lt "$beta" ] && beta=$value
    fi
    if [ "$alpha" -ge "$beta" ] || out_of_time; then break; fi
  done
  if ours; then value=$alpha; else value=$beta; fi
}

# The time is looked up after every hundred nodes.
out_of_time() {
  if [ "$nodes" -ge "$next_look" ]; then
    time_left
    next_look=$((nodes + 100))
  fi
  [ "$nodes" -ge $NODES ] || [ "$left" -le 0 ]
}

ludus choose

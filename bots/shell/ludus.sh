# The kit for shell: the loop, the rules, the clock. One file, for dash, bash and others.
#
# A bot is a function that leaves one of the legal moves in `move`:
#
#   . "$(dirname "$0")/ludus.sh"
#   choose() { legal; set -- $moves; move=$1; }
#   ludus choose
#
# The position knows the rules, because the arena answers for it. So a bot can play moves and take
# them back while it thinks. The game itself stays where it is. Each function leaves what it finds
# in a variable, because `$(...)` would run the function in a process of its own.

IFS='
'
set -f # a move is a line of its own, and never the name of a file

WIN=1000000 # what a won game is worth

# The legal moves, one on each line, in `moves`; none if the game is over.
legal() {
  moves=
  over && return
  case $node in *'"legal":['*) ;; *) ask_again ;; esac
  rest=${node#*'"legal":["'}
  rest=${rest%%'"]'*}
  while :; do
    moves=$moves${moves:+$IFS}${rest%%'","'*}
    case $rest in *'","'*) rest=${rest#*'","'} ;; *) return ;; esac
  done
}

# The number of a key of the node, in `number`: `fact turn`, `fact value`.
fact() {
  number=${node#*"\"$1\":"}
  number=${number%%[,\}]*}
}

# Is the game over?
over() {
  case $node in *'"over":"'*) ;; *) return 1 ;; esac
}

# Do you decide here, or a seat of your team?
ours() {
  fact turn
  case $friends in *",$number,"*) ;; *) return 1 ;; esac
}

# How good the position is for you, from -WIN to WIN, in `value`; 0 where the arena gives no estimate.
evaluate() {
  value=0
  if over; then
    fact value
    value=$((number * WIN))
  elif [ -n "$evaluated" ]; then
    case $node in *'"evaluation":'*) ;; *) ask_again "$evaluated" ;; esac
    fact evaluation
    value=$number
  fi
}

# Plays a move: `play MOVE`. At a leaf you want the evaluation, not the legal moves: then
# `play MOVE leaf` is quicker.
play() {
  explore "\"at\":$depth,\"play\":\"$1\"${2:+,\"legal\":false$evaluated}"
  depth=$((depth + 1)) nodes=$((nodes + 1))
  eval "node_$depth=\$node"
}

# Takes the last move back.
undo() {
  depth=$((depth - 1))
  eval "node=\$node_$depth"
}

# Goes back to the turn, and imagines all that you can't know: `imagine SEED`.
imagine() {
  explore "\"imagine\":$1,\"legal\":false"
  depth=0 nodes=$((nodes + 1)) node=$node_0
}

# Milliseconds that you may go on thinking, in `left`: half of the time for a move, and a little of
# the bank. 0 if the arena soon allows no more nodes. This starts a process, so do not ask at every
# node.
time_left() {
  left=$((until - $(date +%s%3N)))
  [ $((nodes + 250)) -le "$most_nodes" ] || left=0
}

# A whole number below COUNT, in `number`. The same game gives the same numbers.
random() {
  dice=$(((dice * 1103515245 + 12345) & 2147483647))
  number=$((dice / 65536 % $1))
}

# Writes a note into the record; `arena show` prints the note beside the move. No quotation marks.
log() {
  printf '{"type":"log","text":"%s"}\n' "$1"
}

# Says what your search has found: `info DEPTH SCORE MOVE`.
info() {
  notes=",\"depth\":$1,\"score\":$2,\"pv\":[\"$3\"]"
}

# Asks the arena. Only the first request of a game has to name the game.
explore() {
  printf '{"type":"explore"%s,%s}\n' "$named" "$1"
  named=
  read -r node || exit 0
  # A `problem`, or the `error` that ends the game.
  case $node in *'"message":"'*) printf '%s\n' "$node" >&2 && exit 1 ;; esac
}

# Asks for more about the node where the position stands.
ask_again() {
  explore "\"at\":$depth$1"
  eval "node_$depth=\$node"
}

# Begins a game.
begin() {
  dice=${line#*'"bot_seed":'}
  dice=${dice%%[,\}]*}
  named=${line#*'"match":"'}
  named=",\"match\":\"${named%%\"*}\""
  thinking=${line#*'"move_ms":'}
  bank=${line#*'"bank_ms":'}
  thinking=$((${thinking%%,*} / 2 + ${bank%%,*} / 80))
  most_nodes=0
  case $line in *'"explore":{"nodes":'*) most_nodes=${line#*'"explore":{"nodes":'} ;; esac
  most_nodes=${most_nodes%%,*}
  evaluated=
  case $line in *'"evaluate":true'*) evaluated=',"evaluate":true' ;; esac
  seat=${line#*'"seat":'}
  seat=${seat%%,*}
  friends=,$seat,
  case $line in *'"teams":[['*) # [[0,2],[1,3]]
    teams=${line#*'"teams":[['}
    teams=${teams%%']]'*}],
    while [ -n "$teams" ]; do
      team=,${teams%%']'*},
      case $team in *",$seat,"*) friends=$team ;; esac
      teams=${teams#*']'}
      teams=${teams#,}
      teams=${teams#'['}
    done
    ;;
  esac
}

# Answers the arena until the arena says `quit`: `ludus CHOOSE`.
ludus() {
  while read -r line; do
    case $line in
    '{"type":"start"'*) begin ;;
    '{"type":"turn"'*)
      until=$(($(date +%s%3N) + thinking))
      id=${line#*'"id":'}
      node=${line#*'"legal":['}
      node="{\"turn\":$seat,\"legal\":[${node%%'"]'*}\"]}"
      depth=0 nodes=0 notes= node_0=$node
      "$1"
      printf '{"move":"%s","id":%s,"info":{"nodes":%s%s}}\n' "$move" "${id%%,*}" "$nodes" "$notes"
      ;;
    '{"type":"error"'*) printf '%s\n' "$line" >&2 && exit 1 ;;
    '{"type":"quit"'*) exit 0 ;;
    esac
  done
}

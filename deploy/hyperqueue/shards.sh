#!/bin/bash
# Plays a tournament in shards on HyperQueue, and merges their journals into
# results/NAME/journal.jsonl.
#
#   hq server start &
#   hq alloc add slurm --time-limit 4h -- --partition=all    # or `hq worker start` on each machine
#   bash shards.sh cup.toml 64 --cpus=4
#
# What follows the number of shards goes to `hq submit`. NAME is the name of the config. Run the
# script in a folder that all machines share. A shard that lost its worker is started again and
# continues its own journal.
set -euo pipefail

if (($# < 2)); then
  echo "usage: bash shards.sh CONFIG SHARDS [OPTIONS OF HQ SUBMIT ...]" >&2
  exit 2
fi
config=$1 shards=$2
shift 2
arena=$(command -v "${ARENA:-arena}")
name=$(basename "$config" .toml)
results=results/$name
mkdir -p "$results"

# A bot that fails makes the exit code of its shard 1, and the games count all the same.
play='taskset --cpu-list "$HQ_CPUS" "$0" tournament "$1" --name "$2" --quiet --shard "$HQ_TASK_ID/$3" || [ $? -eq 1 ]'
hq submit --name "$name" --array "1-$shards" --wait --stdout="$results/shard-%{TASK_ID}.log" \
  --stderr="$results/shard-%{TASK_ID}.log" "$@" -- \
  bash -c "$play" "$arena" "$config" "$name" "$shards"
cd "$results"
rm -f part.jsonl
"$arena" merge part.jsonl journal-*-of-"$shards".jsonl
mv -n part.jsonl journal.jsonl
"$arena" standings journal.jsonl --out .

#!/bin/bash
# Plays a tournament in shards on Slurm, and merges their journals into results/NAME/journal.jsonl.
#
#   bash shards.sh cup.toml 64 --cpus-per-task=4 --time=04:00:00
#
# What follows the number of shards goes to sbatch. NAME is the name of the config. Run the script in
# a folder that all nodes share. Two minutes before its time is up, a task ends its games and stops.
# If shards are missing at the end, run the script again: finished shards end at once, and the others
# continue their journals.
set -euo pipefail

if (($# < 2)); then
  echo "usage: bash shards.sh CONFIG SHARDS [OPTIONS OF SBATCH ...]" >&2
  exit 2
fi
config=$1 shards=$2
shift 2
arena=$(command -v "${ARENA:-arena}")
name=$(basename "$config" .toml)
results=results/$name
mkdir -p "$results"

# Words for a shell that reads them once more.
quoted() { printf '%q ' "$@"; }

# Where Slurm does not bind a task to its cores, several tasks must not pin their games to the same
# core.
play="cpus=\${SLURM_CPUS_PER_TASK:-1}; [ \$(nproc) -gt \$cpus ] && pin=--no-pin
exec $(quoted "$arena" tournament "$config" --name "$name" --quiet)\$pin --concurrency \$cpus"
play+=" --shard \$SLURM_ARRAY_TASK_ID/$shards"
tasks=$(sbatch --parsable --job-name="$name" --array="1-$shards" --requeue --open-mode=append \
  --signal=B:TERM@120 --output="$results/shard-%a.log" "$@" --wrap "$play")

# A bot that fails makes the exit code of its shard 1, and the games count all the same. So the merge
# waits for the end of the tasks and not for their success. It says what is missing. Only a whole
# journal gets its name.
merge="cd $(quoted "$results")&& rm -f part.jsonl"
merge+=" && $(quoted "$arena")merge part.jsonl journal-*-of-$shards.jsonl && mv -n part.jsonl journal.jsonl"
merge+=" && $(quoted "$arena")standings journal.jsonl --out ."
last=$(sbatch --parsable --job-name="$name-merge" --dependency="afterany:${tasks%%;*}" \
  --open-mode=append --output="$results/merge.log" --wrap "$merge")
echo "job ${tasks%%;*} plays $shards shards, and job ${last%%;*} writes $results/journal.jsonl"

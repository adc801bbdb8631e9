#!/bin/bash
# Workers on HyperQueue for tournaments of any format. Where the tournament is played:
#
#   arena engine up --workers 16
#   arena tournament cup.toml --engine engine/coordinator.ticket &
#   bash workers.sh 16 --cpus=4
#
# What follows the number of workers goes to `hq submit`. All machines must see the folder `engine`
# and reach its port.
set -euo pipefail

if (($# < 1)); then
  echo "usage: bash workers.sh WORKERS [OPTIONS OF HQ SUBMIT ...]" >&2
  exit 2
fi
workers=$1
shift
hq submit --name ludus-workers --array "1-$workers" "$@" -- \
  bash -c 'exec taskset --cpu-list "$HQ_CPUS" "$0" worker --engine "$1/worker-$HQ_TASK_ID.ticket" --exit-idle 10m' \
  "$(command -v "${ARENA:-arena}")" "$PWD/${ENGINE:-engine}"

#!/bin/bash
#SBATCH --job-name=ludus-worker
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
#SBATCH --output=worker-%a.log
#SBATCH --open-mode=append
# Workers on Slurm for tournaments of any format. On the login node:
#
#   arena engine up --workers 16
#   arena tournament cup.toml --engine engine/coordinator.ticket &
#   sbatch workers.sh
#
# Workers may begin before the tournament, after it, and at any time. Two minutes before its time is
# up, each ends its games and hands back the rest. All nodes must see the folder `engine` and reach
# its port.
exec "${ARENA:-arena}" worker --engine "${ENGINE:-engine}/worker-$SLURM_ARRAY_TASK_ID.ticket" \
  --concurrency "${SLURM_CPUS_PER_TASK:-1}" --exit-idle 10m

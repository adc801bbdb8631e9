#!/bin/sh
# Starts processes as fast as possible, up to a limit.
bomb() { i=0; while [ $i -lt 200 ]; do sleep 600 & i=$((i + 1)); done; wait; }
bomb

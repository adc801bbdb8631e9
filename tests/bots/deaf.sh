#!/bin/sh
# Does not read, and ignores SIGTERM too.
trap '' TERM HUP INT
while :; do sleep 600; done

#!/bin/sh
# Does not read; ignores the polite signal too.
trap '' TERM HUP INT
while :; do sleep 600; done

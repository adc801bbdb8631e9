#!/bin/sh
# Closes its standard input, so it never reads a question.
exec <&-
sleep 600

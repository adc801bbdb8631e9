#!/bin/sh
# Reads everything and never answers, like a bot that forgot to flush.
while read -r line; do :; done

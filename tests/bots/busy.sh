#!/bin/sh
# Computes for ever.
while :; do :; done

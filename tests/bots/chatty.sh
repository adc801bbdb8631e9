#!/bin/sh
# Sends endless short messages that are not a move.
exec yes '{"type":"log","text":"still thinking"}'

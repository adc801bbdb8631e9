#!/bin/sh
# Never hears a question.
exec <&-
sleep 600

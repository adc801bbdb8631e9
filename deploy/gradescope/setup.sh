#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of an assignment.
set -euo pipefail
cd /autograder/source

apt-get update
# The languages of the bots: add nodejs, default-jdk-headless, gcc, g++, golang-go …
apt-get install -y --no-install-recommends curl ca-certificates python3
sh install "" /usr/local

# Bots run as a user who can't read the assignment.
id student > /dev/null 2>&1 || useradd --no-create-home student
chmod -R go= /autograder/source

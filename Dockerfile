# The arena with Python, from this source:
#
#     docker build -t arena .
#     docker run --rm arena arena match tic-tac-toe builtin:greedy builtin:random
#
# More languages: docker build --build-arg LANGUAGES="python3 nodejs gcc libc6-dev" -t arena .
FROM rust:1.95-bookworm AS build
WORKDIR /ludus
# hadolint ignore=DL3008
RUN apt-get update && \
    apt-get install -y --no-install-recommends python3 && \
    rm -rf /var/lib/apt/lists/*
COPY . .
RUN deploy/package deb

FROM debian:bookworm-slim
ARG LANGUAGES=python3
# The release of Debian pins the versions. The languages are words, so they are not quoted.
# hadolint ignore=DL3008,SC2086
RUN --mount=type=bind,from=build,source=/ludus/target/package,target=/packages \
    apt-get update && \
    apt-get install -y --no-install-recommends /packages/*.deb ${LANGUAGES} && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --uid 1000 --create-home player
USER 1000
WORKDIR /home/player
CMD ["arena", "--help"]

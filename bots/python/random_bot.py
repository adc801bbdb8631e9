"""Chooses a legal move at random. Plays every game."""

import ludus


def choose(position):
    return position.legal[position.random(len(position.legal))]


if __name__ == "__main__":
    ludus.play(choose)

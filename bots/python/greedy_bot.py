"""Looks one ply ahead, and chooses the best position. Plays every game without hidden cards."""

import ludus


def choose(position):
    return max(position.legal, key=lambda move: value(position, move))


def value(position, move):
    """How good the position is after the move."""
    position.play(move, leaf=True)
    value = position.evaluate()
    position.undo()
    return value


if __name__ == "__main__":
    ludus.play(choose)

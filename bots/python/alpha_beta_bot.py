"""Alpha-beta, one ply deeper each time. Plays every game without hidden cards."""

import ludus

NODES = 5_000  # for a move; more nodes play better and take longer
DEPTH = 50  # deep enough for the end of most games


def choose(position):
    best = position.legal[0]
    for depth in range(1, DEPTH + 1):
        value, move = -2 * ludus.WIN, best
        for other in [best] + [move for move in position.legal if move != best]:
            if out_of_time(position):
                break
            found = child(position, other, depth, value, 2 * ludus.WIN)
            if found > value:
                value, move = found, other
        if out_of_time(position):
            break  # this depth is not finished, so the depth before has the best move
        best = move
        position.info(depth=depth, score=value, pv=[best])
        if abs(value) >= ludus.WIN:
            break  # the rest of the game is known
    return best


def child(position, move, depth, alpha, beta):
    """The value of the position after a move."""
    position.play(move, leaf=depth == 1)
    value = search(position, depth - 1, alpha, beta)
    position.undo()
    return value


def search(position, depth, alpha, beta):
    """The value of the position for us, if it lies between alpha and beta."""
    if position.over:
        return position.value * (ludus.WIN + depth)  # a win is better sooner, a loss later
    if depth == 0:
        return position.evaluate()
    for move in position.legal:
        value = child(position, move, depth, alpha, beta)
        if position.ours:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta or out_of_time(position):
            break
    return alpha if position.ours else beta


def out_of_time(position):
    return position.nodes >= NODES or position.time_left() <= 0


if __name__ == "__main__":
    ludus.play(choose)

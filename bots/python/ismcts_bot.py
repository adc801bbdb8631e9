"""Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards."""

import ludus

NODES = 5_000  # for a move; more nodes play better and take longer
PLIES = 60  # a game that goes on for longer is judged by the arena's estimate


def choose(position):
    moves = position.legal
    totals, games = [0.0] * len(moves), [0] * len(moves)
    dream = 0
    while len(moves) > 1 and not out_of_time(position):
        position.imagine(dream)  # other cards each time
        dream += 1
        for at, move in enumerate(moves):  # each move with the same cards
            if not out_of_time(position):
                totals[at] += play_out(position, move)
                games[at] += 1
    position.info(text=f"{sum(games)} games in {dream} imagined positions")
    return max(zip(moves, totals, games), key=average)[0]


def average(entry):
    move, total, games = entry
    return total / games if games else -ludus.WIN


def play_out(position, move):
    """Plays the move, then at random to the end. Gives the result, and goes back."""
    position.play(move)
    while not position.over and position.depth < PLIES:
        position.play(position.legal[position.random(len(position.legal))])
    result = worth(position) if position.over else position.evaluate() / ludus.WIN
    while position.depth > 0:
        position.undo()
    return result


def worth(position):
    """The seats behind us, less the seats before us. Points decide between equals."""
    ours = position.places[position.seat]
    before = sum(place < ours for place in position.places)
    behind = sum(place > ours for place in position.places)
    return behind - before + position.scores[position.seat] / 1_000


def out_of_time(position):
    return position.nodes >= NODES or position.time_left() <= 0


if __name__ == "__main__":
    ludus.play(choose)

// Alpha-beta, one ply deeper each time. Plays every game without hidden cards.

import java.util.List;

public class AlphaBetaBot {
    static final int NODES = 5_000; // for a move; more nodes play better and take longer
    static final int DEPTH = 50; // deep enough for the end of most games

    public static void main(String[] args) {
        Ludus.play(AlphaBetaBot::choose);
    }

    static String choose(Ludus.Position position) {
        String best = position.legal().get(0);
        for (int depth = 1; depth <= DEPTH; depth++) {
            String move = best;
            long value = child(position, best, depth, -2 * Ludus.WIN, 2 * Ludus.WIN);
            for (String other : position.legal()) {
                if (!other.equals(best) && !outOfTime(position)) {
                    long found = child(position, other, depth, value, 2 * Ludus.WIN);
                    move = found > value ? other : move;
                    value = Math.max(value, found);
                }
            }
            if (outOfTime(position)) {
                break; // this depth is not finished, so the depth before has the best move
            }
            best = move;
            position.info(depth, value, List.of(best));
            if (Math.abs(value) >= Ludus.WIN) {
                break; // the rest of the game is known
            }
        }
        return best;
    }

    /** The value of the position after a move. */
    static long child(Ludus.Position position, String move, int depth, long alpha, long beta) {
        if (depth == 1) {
            position.playLeaf(move);
        } else {
            position.play(move);
        }
        long value = search(position, depth - 1, alpha, beta);
        position.undo();
        return value;
    }

    /** The value of the position for us, if it lies between alpha and beta. */
    static long search(Ludus.Position position, int depth, long alpha, long beta) {
        if (position.over()) {
            return position.value() * (Ludus.WIN + depth); // a win is better sooner, a loss later
        }
        if (depth == 0) {
            return position.evaluate();
        }
        for (String move : position.legal()) {
            long value = child(position, move, depth, alpha, beta);
            if (position.ours()) {
                alpha = Math.max(alpha, value);
            } else {
                beta = Math.min(beta, value);
            }
            if (alpha >= beta || outOfTime(position)) {
                break;
            }
        }
        return position.ours() ? alpha : beta;
    }

    static boolean outOfTime(Ludus.Position position) {
        return position.nodes >= NODES || position.timeLeft() <= 0;
    }
}

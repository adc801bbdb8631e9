// Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards.

import java.util.List;

public class IsmctsBot {
    static final int NODES = 5_000; // for a move; more nodes play better and take longer
    static final int PLIES = 60; // a game that goes on for longer is judged by the arena's estimate

    public static void main(String[] args) {
        Ludus.play(IsmctsBot::choose);
    }

    static String choose(Ludus.Position position) {
        List<String> moves = position.legal();
        double[] totals = new double[moves.size()];
        double[] games = new double[moves.size()];
        for (int dream = 0; moves.size() > 1 && !outOfTime(position); dream++) {
            position.imagine(dream); // other cards each time
            for (int i = 0; i < moves.size() && !outOfTime(position); i++) { // each move with the same cards
                totals[i] += playOut(position, moves.get(i));
                games[i]++;
            }
        }
        int best = 0;
        for (int i = 1; i < moves.size(); i++) {
            if (games[i] > 0 && totals[i] / games[i] > totals[best] / games[best]) {
                best = i;
            }
        }
        return moves.get(best);
    }

    /** Plays the move, then at random to the end. Gives the result, and goes back. */
    static double playOut(Ludus.Position position, String move) {
        position.play(move);
        while (!position.over() && position.depth() < PLIES) {
            List<String> moves = position.legal();
            position.play(moves.get(position.random(moves.size())));
        }
        double result = position.over() ? worth(position) : (double) position.evaluate() / Ludus.WIN;
        while (position.depth() > 0) {
            position.undo();
        }
        return result;
    }

    /** The seats behind us, less the seats before us. Points decide between equals. */
    static double worth(Ludus.Position position) {
        double ours = position.places().get(position.seat);
        double worth = position.scores().get(position.seat) / 1_000;
        for (double place : position.places()) {
            worth += Math.signum(place - ours);
        }
        return worth;
    }

    static boolean outOfTime(Ludus.Position position) {
        return position.nodes >= NODES || position.timeLeft() <= 0;
    }
}

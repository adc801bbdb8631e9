// Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.

public class GreedyBot {
    public static void main(String[] args) {
        Ludus.play(GreedyBot::choose);
    }

    static String choose(Ludus.Position position) {
        String best = null;
        long bestValue = -2 * Ludus.WIN;
        for (String move : position.legal()) {
            position.playLeaf(move);
            long value = position.evaluate();
            position.undo();
            if (value > bestValue) {
                best = move;
                bestValue = value;
            }
        }
        return best;
    }
}

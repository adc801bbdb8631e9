// Chooses a legal move at random. Plays every game.

public class RandomBot {
    public static void main(String[] args) {
        Ludus.play(RandomBot::choose);
    }

    static String choose(Ludus.Position position) {
        return position.legal().get(position.random(position.legal().size()));
    }
}

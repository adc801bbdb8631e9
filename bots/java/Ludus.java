// The kit for Java: the loop, the rules, the clock. One file, with nothing but the JDK.
//
// A bot is a function that takes a position and returns one of its legal moves:
//
//     public class Bot {
//         public static void main(String[] args) {
//             Ludus.play(position -> position.legal().get(0));
//         }
//     }
//
// The position knows the rules, because the arena answers for it. So a bot can play moves and take
// them back while it thinks. The game itself stays where it is.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

final class Ludus {
    /** What a won game is worth. */
    static final long WIN = 1_000_000;

    /** So many nodes before its limit a search should stop. */
    private static final int NEAR = 100;

    /** What the arena reads. Whatever else is printed goes to standard error. */
    private static final PrintStream OUTPUT = System.out;

    private static final BufferedReader INPUT =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    /** Answers the arena until the arena says `quit`. `choose` takes a position and returns a move. */
    static void play(Function<Position, String> choose) {
        System.setOut(System.err);
        Json start = new Json("{}");
        Random dice = new Random();
        for (;;) {
            Json message = hear();
            switch (message.get("type").string()) {
                case "start":
                    start = message;
                    dice = new Random(Long.parseLong(message.get("bot_seed").text));
                    Position.named = ",\"match\":" + message.get("match").text;
                    break;
                case "turn":
                    Position position = new Position(start, message, dice);
                    String move = choose.apply(position);
                    say("{\"move\":" + Json.quote(move) + ",\"id\":" + message.get("id").text + ",\"info\":"
                            + position.notes() + "}");
                    break;
                case "error":
                    System.err.println(message.get("message").string());
                    System.exit(1);
                    break;
                case "quit":
                    return;
                default: // there may be more messages one day
            }
        }
    }

    /** The next message. The bot ends with its input. */
    static Json hear() {
        try {
            String line = INPUT.readLine();
            if (line == null) {
                System.exit(0);
            }
            return new Json(line);
        } catch (IOException error) {
            throw new RuntimeException(error);
        }
    }

    static void say(String line) {
        OUTPUT.print(line + "\n");
        OUTPUT.flush();
    }

    /** A position to think about. It begins where your bot must decide. */
    static final class Position {
        /** The message `start`: `params`, `seats` and more. */
        final Json start;
        /** What has happened since your last turn. */
        final Json events;
        /** You. */
        final int seat;
        /** Positions visited in this turn. */
        int nodes = 0;

        static String named = ""; // names the game in its first request

        private final long until;
        private final Random dice;
        private final boolean evaluated;
        private final List<Integer> friends = new ArrayList<>();
        private final List<Node> path = new ArrayList<>();
        private String notes = "";

        Position(Json start, Json turn, Random dice) {
            this.start = start;
            this.dice = dice;
            Json clock = turn.get("clock");
            double thinking = clock.get("move_ms").number() / 2 + clock.get("bank_ms").number() / 40;
            until = System.nanoTime() + (long) (thinking * 1e6);
            events = turn.get("events");
            seat = (int) turn.get("seat").number();
            evaluated = start.get("explore").get("evaluate").isTrue();
            friends.add(seat);
            for (Json team : start.get("teams").items()) {
                List<Integer> seats = new ArrayList<>();
                team.items().forEach(member -> seats.add((int) member.number()));
                if (seats.contains(seat)) {
                    friends.addAll(seats);
                }
            }
            path.add(new Node(turn));
            here().turn = seat;
        }

        /** The number of moves played since the turn. */
        int depth() {
            return path.size() - 1;
        }

        /** The legal moves; none if the game is over. */
        List<String> legal() {
            if (here().legal.isEmpty() && !over()) {
                here().legal = new Node(more("")).legal;
            }
            return here().legal;
        }

        /** The seat that decides here. */
        int turn() {
            return here().turn;
        }

        /** Do you decide here, or a seat of your team? */
        boolean ours() {
            return friends.contains(turn());
        }

        /** Do other seats decide at the same time? */
        boolean simultaneous() {
            return here().simultaneous;
        }

        /** Is the game over? `reason` says why. */
        boolean over() {
            return !here().over.isEmpty();
        }

        String reason() {
            return here().over;
        }

        /** Your result when the game is over: 1, 0 or -1. */
        int value() {
            return here().value;
        }

        /** The place of each seat when the game is over; 1 is best. */
        List<Double> places() {
            return here().places;
        }

        /** The points of each seat when the game is over. */
        List<Double> scores() {
            return here().scores;
        }

        /** What the seat that decides here can see. */
        Json view() {
            if (!here().view.exists()) {
                here().view = more(",\"legal\":false,\"view\":true").get("view");
            }
            return here().view;
        }

        /** How good the position is for you, from -WIN to WIN; 0 where the arena gives no estimate. */
        long evaluate() {
            if (over()) {
                return value() * Ludus.WIN;
            }
            if (evaluated && !here().evaluation.exists()) {
                here().evaluation = more(",\"legal\":false,\"evaluate\":true").get("evaluation");
            }
            return evaluated ? (long) here().evaluation.number() : 0;
        }

        /** Plays a move. */
        void play(String move) {
            path.add(new Node(more(",\"play\":" + Json.quote(move))));
            nodes++;
        }

        /** Plays a move too, and asks for the evaluation, not for the legal moves. This is quicker. */
        void playLeaf(String move) {
            String facts = ",\"legal\":false,\"evaluate\":" + evaluated;
            path.add(new Node(more(",\"play\":" + Json.quote(move) + facts)));
            nodes++;
        }

        /** Takes the last move back. */
        void undo() {
            if (depth() == 0) {
                throw new IllegalStateException("there is no move to take back");
            }
            path.remove(depth());
        }

        /** Goes back to the turn, and imagines all that you can't know. Each seed gives other cards. */
        void imagine(int seed) {
            explore(",\"imagine\":" + seed + ",\"legal\":false");
            path.subList(1, path.size()).clear();
            nodes++;
        }

        /**
         * Seconds that you may go on thinking: half of the time for a move, and a little of the bank.
         * 0 if the arena soon allows no more nodes.
         */
        double timeLeft() {
            return nodes + NEAR > start.get("explore").get("nodes").number() ? 0 : (until - System.nanoTime()) / 1e9;
        }

        /** A whole number below `count`. The same game gives the same numbers. */
        int random(int count) {
            return dice.nextInt(count);
        }

        /** Writes a note into the record; `arena show` prints the note beside the move. */
        void log(String text) {
            Ludus.say("{\"type\":\"log\",\"text\":" + Json.quote(text) + "}");
        }

        /** Says what your search has found. */
        void info(int depth, double score, List<String> pv) {
            List<String> moves = new ArrayList<>();
            pv.forEach(move -> moves.add(Json.quote(move)));
            String pvText = "[" + String.join(",", moves) + "]";
            notes = ",\"depth\":" + depth + ",\"score\":" + score + ",\"pv\":" + pvText;
        }

        String notes() {
            return "{\"nodes\":" + nodes + notes + "}";
        }

        private Node here() {
            return path.get(depth());
        }

        /** Asks about the node where the position stands, or about the node after a move. */
        private Json more(String facts) {
            return explore(",\"at\":" + depth() + facts);
        }

        private Json explore(String facts) {
            Ludus.say("{\"type\":\"explore\"" + named + facts + "}");
            named = ""; // only the first request of a game has to name the game
            Json node = Ludus.hear();
            if (node.get("message").exists()) { // a `problem`, or the `error` that ends the game
                throw new IllegalArgumentException(node.get("message").string());
            }
            return node;
        }

        /** What the arena has told about a place in the game. */
        private static final class Node {
            int turn;
            final boolean simultaneous;
            final String over;
            final int value;
            final List<Double> places = new ArrayList<>();
            final List<Double> scores = new ArrayList<>();
            List<String> legal = new ArrayList<>();
            Json evaluation;
            Json view;

            Node(Json node) {
                turn = (int) node.get("turn").number();
                simultaneous = node.get("simultaneous").isTrue();
                over = node.get("over").string();
                value = (int) node.get("value").number();
                node.get("places").items().forEach(place -> places.add(place.number()));
                node.get("scores").items().forEach(score -> scores.add(score.number()));
                node.get("legal").items().forEach(move -> legal.add(move.string()));
                evaluation = node.get("evaluation");
                view = node.get("view");
            }
        }
    }

    /** A piece of JSON text. */
    static final class Json {
        final String text;

        Json(String text) {
            this.text = text;
        }

        /** The value of a key; an empty piece if the key is missing. */
        Json get(String key) {
            for (int at = 1; at < text.length() && text.charAt(at) == '"';) {
                int colon = end(at);
                int last = end(colon + 1);
                if (colon - at - 2 == key.length() && text.startsWith(key, at + 1)) {
                    return new Json(text.substring(colon + 1, last));
                }
                at = last + 1;
            }
            return new Json("");
        }

        /** The values of a list. */
        List<Json> items() {
            List<Json> items = new ArrayList<>();
            for (int at = 1; at < text.length() - 1;) {
                int last = end(at);
                items.add(new Json(text.substring(at, last)));
                at = last + 1;
            }
            return items;
        }

        boolean exists() {
            return !text.isEmpty();
        }

        boolean isTrue() {
            return text.equals("true");
        }

        /** The number; 0 if there is none. */
        double number() {
            return exists() ? Double.parseDouble(text) : 0;
        }

        /** The text without quotation marks and escapes. */
        String string() {
            StringBuilder found = new StringBuilder();
            for (int at = 1; at < text.length() - 1; at++) {
                char letter = text.charAt(at);
                if (letter == '\\') {
                    letter = text.charAt(++at);
                    int meaning = "bfnrt".indexOf(letter);
                    if (letter == 'u') { // four hexadecimal digits
                        letter = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if (meaning >= 0) {
                        letter = "\b\f\n\r\t".charAt(meaning);
                    }
                }
                found.append(letter);
            }
            return found.toString();
        }

        /** A text as JSON. */
        static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char letter : text.toCharArray()) {
                if (letter < ' ') {
                    quoted.append(String.format("\\u%04x", (int) letter));
                } else {
                    quoted.append(letter == '"' || letter == '\\' ? "\\" : "").append(letter);
                }
            }
            return quoted.append('"').toString();
        }

        /** The end of the value that begins here. */
        private int end(int at) {
            int depth = 0;
            do {
                char letter = text.charAt(at++);
                if (letter == '"') {
                    while (text.charAt(at) != '"') {
                        at += text.charAt(at) == '\\' ? 2 : 1;
                    }
                    at++;
                } else if (letter == '{' || letter == '[') {
                    depth++;
                } else if (letter == '}' || letter == ']') {
                    depth--;
                } else if (depth == 0) { // a number or a word
                    while (at < text.length() && ",:]}".indexOf(text.charAt(at)) < 0) {
                        at++;
                    }
                }
            } while (depth > 0);
            return at;
        }
    }
}

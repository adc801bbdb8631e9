// A bot for Ludus in Java, without a JSON library: the legal moves are a flat list of plain strings.
//
// Try it:  arena match tic-tac-toe "java bots/java/FirstBot.java" builtin:random

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

public class FirstBot {
    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Random random = new Random();
        String line;
        while ((line = input.readLine()) != null) { // until the arena closes the pipe
            if (line.contains("\"type\":\"start\"")) {
                // A new game. Seeding from bot_seed makes the bot's games repeatable.
                random = new Random(numberAfter(line, "\"bot_seed\":"));
            } else if (line.contains("\"type\":\"turn\"")) {
                // "legal":["a1","b2",...] are the moves you may make.
                String[] moves = between(line, "\"legal\":[\"", "\"]").split("\",\"");
                System.out.println("{\"move\":\"" + moves[random.nextInt(moves.length)] + "\"}");
                System.out.flush(); // without this the answer may stay in a buffer
            }
        }
    }

    /** The number after {@code key}. */
    static long numberAfter(String text, String key) {
        int from = text.indexOf(key) + key.length();
        int to = from;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        return Long.parseLong(text.substring(from, to));
    }

    /** The text after the first {@code start}, up to the next {@code end}. */
    static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }
}

// A bot for Ludus in C++, without a JSON library: the legal moves are a flat list of plain strings.
//
// Try it:  c++ -O2 -o first_bot bots/cpp/first_bot.cpp
//          arena match tic-tac-toe ./first_bot builtin:random

#include <iostream>
#include <random>
#include <string>
#include <vector>

// The text after `key`, to the end of the line. Empty if the key is missing.
static std::string after(const std::string &line, const std::string &key) {
    const auto at = line.find(key);
    return at == std::string::npos ? "" : line.substr(at + key.size());
}

// The texts in "legal":["a1","b2",...]. Each text is between two quotation marks.
static std::vector<std::string> legal_moves(const std::string &line) {
    const std::string list = after(line, "\"legal\":[");
    std::vector<std::string> moves;
    for (std::size_t at = 0; at < list.size() && list[at] == '"';) {
        const auto end = list.find('"', at + 1);
        moves.push_back(list.substr(at + 1, end - at - 1));
        at = end + (list[end + 1] == ',' ? 2 : 1);
    }
    return moves;
}

int main() {
    std::mt19937_64 random;
    std::string line;
    while (std::getline(std::cin, line)) { // until the arena closes the pipe
        if (line.find("\"type\":\"start\"") != std::string::npos) {
            // A new game. Seeding from bot_seed makes the bot's games repeatable.
            random.seed(std::stoull(after(line, "\"bot_seed\":")));
        } else if (line.find("\"type\":\"turn\"") != std::string::npos) {
            const auto moves = legal_moves(line);
            const auto move = moves[random() % moves.size()];
            std::cout << "{\"move\":\"" << move << "\"}" << std::endl; // endl flushes
        }
    }
}

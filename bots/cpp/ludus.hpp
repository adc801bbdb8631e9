// The kit for C++: the loop, the rules, the clock. One file, with nothing but the standard library.
//
// A bot is a function that takes a position and returns one of its legal moves:
//
//     #include "ludus.hpp"
//     int main() { ludus::play([](ludus::Position &p) { return p.legal()[0]; }); }
//
// The position knows the rules, because the arena answers for it. So a bot can play moves and take
// them back while it thinks. The game itself stays where it is.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace ludus {

constexpr long WIN = 1'000'000; // what a won game is worth
constexpr long NEAR = 100;      // so many nodes before its limit a search should stop

// A piece of JSON text.
class Json {
public:
    explicit Json(std::string text = "") : text(std::move(text)) {}

    std::string text;

    // The value of a key; empty if the key is missing.
    Json operator[](const std::string &key) const {
        for (std::size_t at = 1; at < text.size() && text[at] == '"';) {
            const auto colon = end(at), last = end(colon + 1);
            if (text.compare(at + 1, colon - at - 2, key) == 0) return slice(colon + 1, last);
            at = last + 1;
        }
        return Json();
    }

    // The values of a list.
    std::vector<Json> items() const {
        std::vector<Json> items;
        for (std::size_t at = 1; at + 1 < text.size();) {
            const auto last = end(at);
            items.push_back(slice(at, last));
            at = last + 1;
        }
        return items;
    }

    bool exists() const { return !text.empty(); }
    bool is_true() const { return text == "true"; }
    double number() const { return std::strtod(text.c_str(), nullptr); }
    int integer() const { return static_cast<int>(number()); }

    // The text without quotation marks and escapes.
    std::string string() const {
        std::string found;
        for (std::size_t at = 1; at + 1 < text.size(); at++) {
            if (text[at] != '\\') {
                found += text[at];
                continue;
            }
            static const std::string letters = "bfnrt", meanings = "\b\f\n\r\t";
            const auto letter = letters.find(text[++at]);
            if (text[at] == 'u') { // \u0041
                const auto code = std::strtoul(text.substr(at + 1, 4).c_str(), nullptr, 16);
                const auto add = [&](unsigned long byte) { found += static_cast<char>(byte); };
                if (code >= 0x800) add(0xe0 | code >> 12);
                if (code >= 0x80) add(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
                add(code >= 0x80 ? 0x80 | (code & 0x3f) : code);
                at += 4;
            } else {
                found += letter == std::string::npos ? text[at] : meanings[letter];
            }
        }
        return found;
    }

    // A text as JSON.
    static std::string quote(const std::string &text) {
        std::string quoted = "\"";
        for (const char letter : text) {
            if (letter == '"' || letter == '\\') quoted += '\\';
            quoted += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
        }
        return quoted + '"';
    }

private:
    Json slice(std::size_t from, std::size_t to) const { return Json(text.substr(from, to - from)); }

    // The end of the value that begins here.
    std::size_t end(std::size_t at) const {
        int depth = 0;
        do {
            if (at >= text.size()) return text.size();
            const char letter = text[at++];
            if (letter == '"') {
                while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
                at++;
            } else if (letter == '{' || letter == '[') {
                depth++;
            } else if (letter == '}' || letter == ']') {
                depth--;
            } else if (depth == 0) { // a number or a word
                at = std::min(text.find_first_of(",:]}", at), text.size());
            }
        } while (depth > 0);
        return at;
    }
};

// Says what a search has found.
struct Info {
    int depth = 0;
    double score = 0;
    std::vector<std::string> pv;
    std::string text;
};

// What the arena has told about a place in the game.
struct Node {
    explicit Node(const Json &node)
        : turn(node["turn"].integer()), simultaneous(node["simultaneous"].is_true()), over(node["over"].string()),
          value(node["value"].integer()), view(node["view"]) {
        for (const auto &move : node["legal"].items()) legal.push_back(move.string());
        for (const auto &place : node["places"].items()) places.push_back(place.integer());
        for (const auto &score : node["scores"].items()) scores.push_back(score.number());
        if (const auto found = node["evaluation"]; found.exists()) evaluation = found.integer();
    }

    int turn;
    bool simultaneous;
    std::string over;
    int value;
    Json view;
    std::vector<std::string> legal;
    std::vector<int> places;
    std::vector<double> scores;
    std::optional<long> evaluation;
};

// The next message. The bot ends with its input.
inline Json hear() {
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);
    return Json(line);
}

inline void say(const std::string &line) { std::cout << line << std::endl; } // endl flushes

// A position to think about. It begins where your bot must decide.
class Position {
public:
    Position(const Json &start, const Json &turn, std::mt19937_64 &dice, std::string &name)
        : start(start), events(turn["events"]), seat(turn["seat"].integer()), dice(dice), name(name) {
        const auto clock = turn["clock"];
        const auto thinking = clock["move_ms"].number() / 2 + clock["bank_ms"].number() / 40;
        until = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long>(thinking));
        evaluated = start["explore"]["evaluate"].is_true();
        most_nodes = start["explore"]["nodes"].number();
        for (const auto &team : start["teams"].items()) {
            std::vector<int> seats;
            for (const auto &member : team.items()) seats.push_back(member.integer());
            if (std::count(seats.begin(), seats.end(), seat)) friends = seats;
        }
        path.emplace_back(turn);
        path[0].turn = seat;
    }

    const Json start;  // the message `start`: `params`, `seats` and more
    const Json events; // what has happened since your last turn
    const int seat;    // you
    long nodes = 0;    // positions visited in this turn

    // The number of moves played since the turn.
    int depth() const { return static_cast<int>(path.size()) - 1; }

    // The legal moves; none if the game is over.
    const std::vector<std::string> &legal() {
        if (!over() && here().legal.empty()) here().legal = Node(more("")).legal;
        return here().legal;
    }

    // The seat that decides here.
    int turn() const { return path.back().turn; }

    // Do you decide here, or a seat of your team?
    bool ours() const { return turn() == seat || std::count(friends.begin(), friends.end(), turn()); }

    // Do other seats decide at the same time?
    bool simultaneous() const { return path.back().simultaneous; }

    // Is the game over? `reason` says why.
    bool over() const { return !path.back().over.empty(); }
    const std::string &reason() const { return path.back().over; }

    // Your result when the game is over: 1, 0 or -1.
    int value() const { return path.back().value; }

    // The place of each seat when the game is over; 1 is best.
    const std::vector<int> &places() const { return path.back().places; }

    // The points of each seat when the game is over.
    const std::vector<double> &scores() const { return path.back().scores; }

    // What the seat that decides here can see.
    const Json &view() {
        if (!here().view.exists()) here().view = more(R"(,"legal":false,"view":true)")["view"];
        return here().view;
    }

    // How good the position is for you, from -WIN to WIN; 0 where the arena gives no estimate.
    long evaluate() {
        if (over()) return value() * WIN;
        if (!evaluated) return 0;
        if (!here().evaluation) here().evaluation = more(EVALUATION)["evaluation"].integer();
        return *here().evaluation;
    }

    // Plays a move. At a leaf you want the evaluation, not the legal moves: this is quicker.
    void play(const std::string &move, bool leaf = false) {
        const std::string facts = evaluated ? EVALUATION : R"(,"legal":false)";
        path.emplace_back(more(",\"play\":" + Json::quote(move) + (leaf ? facts : "")));
        nodes++;
    }

    // Takes the last move back.
    void undo() {
        if (depth() == 0) throw std::runtime_error("there is no move to take back");
        path.pop_back();
    }

    // Goes back to the turn, and imagines all that you can't know. Each seed gives other cards.
    void imagine(std::uint32_t seed) {
        explore(",\"imagine\":" + std::to_string(seed) + ",\"legal\":false");
        path.erase(path.begin() + 1, path.end());
        nodes++;
    }

    // Seconds that you may go on thinking: half of the time for a move, and a little of the bank. 0 if
    // the arena soon allows no more nodes.
    double time_left() const {
        if (nodes + NEAR > most_nodes) return 0;
        return std::chrono::duration<double>(until - std::chrono::steady_clock::now()).count();
    }

    // A whole number below `count`. The same game gives the same numbers.
    std::size_t random(std::size_t count) { return dice() % count; }

    // Writes a note into the record; `arena show` prints the note beside the move.
    void log(const std::string &text) { say(R"({"type":"log","text":)" + Json::quote(text) + "}"); }

    // Says what your search has found.
    void info(const Info &found) { notes = found; }

    // The answer of the bot.
    std::string answer(const std::string &move, const Json &id) const {
        std::string line = "{\"move\":" + Json::quote(move) + ",\"id\":" + id.text;
        line += ",\"info\":{\"nodes\":" + std::to_string(nodes);
        if (notes) {
            line += ",\"depth\":" + std::to_string(notes->depth);
            line += ",\"score\":" + std::to_string(notes->score);
            if (!notes->text.empty()) line += ",\"text\":" + Json::quote(notes->text);
            line += ",\"pv\":[";
            for (const auto &step : notes->pv) line += (&step == &notes->pv[0] ? "" : ",") + Json::quote(step);
            line += "]";
        }
        return line + "}}";
    }

private:
    static constexpr auto EVALUATION = R"(,"legal":false,"evaluate":true)";

    Node &here() { return path.back(); }

    // Asks about the node where the position stands, or about the node after a move.
    Json more(const std::string &facts) { return explore(",\"at\":" + std::to_string(depth()) + facts); }

    Json explore(const std::string &facts) {
        say("{\"type\":\"explore\"" + name + facts + "}");
        name.clear(); // only the first request of a game has to name the game
        const Json node = hear();
        const Json message = node["message"]; // of a `problem`, or of the `error` that ends the game
        if (message.exists()) throw std::runtime_error(message.string());
        return node;
    }

    std::mt19937_64 &dice;
    std::string &name;
    std::chrono::steady_clock::time_point until;
    bool evaluated;
    double most_nodes;
    std::vector<int> friends; // your team, if there are teams
    std::optional<Info> notes;
    std::deque<Node> path;
};

// Answers the arena until the arena says `quit`. `choose` takes a position and returns a move.
inline void play(const std::function<std::string(Position &)> &choose) try {
    Json start;
    std::mt19937_64 dice;
    std::string name;
    for (;;) {
        const Json message = hear();
        const auto type = message["type"].string();
        if (type == "start") {
            start = message;
            dice.seed(std::stoull(message["bot_seed"].text));
            name = ",\"match\":" + message["match"].text;
        } else if (type == "turn") {
            Position position(start, message, dice, name);
            const auto move = choose(position);
            say(position.answer(move, message["id"]));
        } else if (type == "error") {
            throw std::runtime_error(message["message"].string());
        } else if (type == "quit") {
            return;
        }
    }
} catch (const std::exception &error) {
    std::cerr << error.what() << std::endl;
    std::exit(1);
}

} // namespace ludus

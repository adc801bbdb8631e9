// Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards.
#include "ludus.hpp"

constexpr long NODES = 5'000; // for a move; more nodes play better and take longer
constexpr int PLIES = 60;     // a game that goes on for longer is judged by the arena's estimate

static bool out_of_time(const ludus::Position &p) { return p.nodes >= NODES || p.time_left() <= 0; }

// The seats behind us, less the seats before us. Points decide between equals.
static double worth(const ludus::Position &p) {
    double worth = p.scores()[p.seat] / 1000;
    for (const int place : p.places()) worth += (place > p.places()[p.seat]) - (place < p.places()[p.seat]);
    return worth;
}

// Plays the move, then at random to the end. Gives the result, and goes back.
static double play_out(ludus::Position &p, const std::string &move) {
    p.play(move);
    while (!p.over() && p.depth() < PLIES) p.play(p.legal()[p.random(p.legal().size())]);
    const double result = p.over() ? worth(p) : static_cast<double>(p.evaluate()) / ludus::WIN;
    while (p.depth() > 0) p.undo();
    return result;
}

static std::string choose(ludus::Position &p) {
    const auto moves = p.legal();
    std::vector<double> totals(moves.size()), games(moves.size());
    for (std::uint32_t dream = 0; moves.size() > 1 && !out_of_time(p); dream++) {
        p.imagine(dream); // other cards each time
        for (std::size_t i = 0; i < moves.size() && !out_of_time(p); i++) { // each move with the same cards
            totals[i] += play_out(p, moves[i]);
            games[i]++;
        }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); i++)
        if (games[i] > 0 && totals[i] / games[i] > totals[best] / games[best]) best = i;
    return moves[best];
}

int main() { ludus::play(choose); }

// Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.
#include "ludus.hpp"

static std::string choose(ludus::Position &p) {
    std::string best;
    long best_value = -2 * ludus::WIN;
    for (const auto &move : p.legal()) {
        p.play(move, true);
        const long value = p.evaluate();
        p.undo();
        if (value > best_value) {
            best = move;
            best_value = value;
        }
    }
    return best;
}

int main() { ludus::play(choose); }

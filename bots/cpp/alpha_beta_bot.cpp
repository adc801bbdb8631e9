// Alpha-beta, one ply deeper each time. Plays every game without hidden cards.
#include "ludus.hpp"

constexpr long NODES = 5'000; // for a move; more nodes play better and take longer
constexpr int DEPTH = 50;     // deep enough for the end of most games

static long search(ludus::Position &p, int depth, long alpha, long beta);

static bool out_of_time(const ludus::Position &p) { return p.nodes >= NODES || p.time_left() <= 0; }

// The value of the position after a move.
static long child(ludus::Position &p, const std::string &move, int depth, long alpha, long beta) {
    p.play(move, depth == 1);
    const long value = search(p, depth - 1, alpha, beta);
    p.undo();
    return value;
}

// The value of the position for us, if it lies between alpha and beta.
static long search(ludus::Position &p, int depth, long alpha, long beta) {
    if (p.over()) return p.value() * (ludus::WIN + depth); // a win is better sooner, a loss later
    if (depth == 0) return p.evaluate();
    for (const auto &move : p.legal()) {
        const long value = child(p, move, depth, alpha, beta);
        if (p.ours()) alpha = std::max(alpha, value);
        else beta = std::min(beta, value);
        if (alpha >= beta || out_of_time(p)) break;
    }
    return p.ours() ? alpha : beta;
}

static std::string choose(ludus::Position &p) {
    auto best = p.legal()[0];
    for (int depth = 1; depth <= DEPTH; depth++) {
        auto move = best;
        long value = child(p, best, depth, -2 * ludus::WIN, 2 * ludus::WIN);
        for (const auto &other : p.legal()) {
            if (other == best || out_of_time(p)) continue;
            const long found = child(p, other, depth, value, 2 * ludus::WIN);
            if (found > value) {
                move = other;
                value = found;
            }
        }
        if (out_of_time(p)) break; // this depth is not finished, so the depth before has the best move
        best = move;
        p.info({depth, static_cast<double>(value), {best}, ""});
        if (std::abs(value) >= ludus::WIN) break; // the rest of the game is known
    }
    return best;
}

int main() { ludus::play(choose); }

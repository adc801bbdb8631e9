// Chooses a legal move at random. Plays every game.
#include "ludus.hpp"

static std::string choose(ludus::Position &p) {
    return p.legal()[p.random(p.legal().size())];
}

int main() { ludus::play(choose); }

/* Chooses a legal move at random. Plays every game. */
#include "ludus.h"

static const char *choose(Position *p) {
    return ludus_legal(p, ludus_random(p, ludus_count(p)));
}

int main(void) { return ludus_main(choose); }

/* Looks one ply ahead, and chooses the best position. Plays every game without hidden cards. */
#include "ludus.h"

static const char *choose(Position *p) {
    const char *best = NULL;
    long best_value = -2 * LUDUS_WIN;
    for (int i = 0; i < ludus_count(p); i++) {
        ludus_play_leaf(p, ludus_legal(p, i));
        long value = ludus_evaluate(p);
        ludus_undo(p);
        if (value > best_value) {
            best_value = value;
            best = ludus_legal(p, i);
        }
    }
    return best;
}

int main(void) { return ludus_main(choose); }

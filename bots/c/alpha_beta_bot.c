/* Alpha-beta, one ply deeper each time. Plays every game without hidden cards. */
#include "ludus.h"

#define NODES 5000 /* for a move; more nodes play better and take longer */
#define DEPTH 50   /* deep enough for the end of most games */

static long search(Position *p, int depth, long alpha, long beta);

static int out_of_time(Position *p) { return p->nodes >= NODES || ludus_time_left(p) <= 0; }

/* The value of the position after a move. */
static long child(Position *p, const char *move, int depth, long alpha, long beta) {
    if (depth == 1) ludus_play_leaf(p, move);
    else ludus_play(p, move);
    long value = search(p, depth - 1, alpha, beta);
    ludus_undo(p);
    return value;
}

/* The value of the position for us, if it lies between alpha and beta. */
static long search(Position *p, int depth, long alpha, long beta) {
    if (ludus_over(p)) return ludus_value(p) * (LUDUS_WIN + depth); /* a win is better sooner, a loss later */
    if (depth == 0) return ludus_evaluate(p);
    for (int i = 0; i < ludus_count(p); i++) {
        long value = child(p, ludus_legal(p, i), depth, alpha, beta);
        if (ludus_ours(p) && value > alpha) alpha = value;
        if (!ludus_ours(p) && value < beta) beta = value;
        if (alpha >= beta || out_of_time(p)) break;
    }
    return ludus_ours(p) ? alpha : beta;
}

static const char *choose(Position *p) {
    const char *best = ludus_legal(p, 0);
    for (int depth = 1; depth <= DEPTH; depth++) {
        const char *move = best;
        long value = child(p, best, depth, -2 * LUDUS_WIN, 2 * LUDUS_WIN);
        for (int i = 0; i < ludus_count(p); i++) {
            const char *other = ludus_legal(p, i);
            if (other == best || out_of_time(p)) continue;
            long found = child(p, other, depth, value, 2 * LUDUS_WIN);
            if (found > value) {
                value = found;
                move = other;
            }
        }
        if (out_of_time(p)) break; /* this depth is not finished, so the depth before has the best move */
        best = move;
        ludus_info(p, depth, value, best);
        if (labs(value) >= LUDUS_WIN) break; /* the rest of the game is known */
    }
    return best;
}

int main(void) { return ludus_main(choose); }

/* Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards. */
#include "ludus.h"

#define NODES 5000 /* for a move; more nodes play better and take longer */
#define PLIES 60   /* a game that goes on for longer is judged by the arena's estimate */

static int out_of_time(Position *p) { return p->nodes >= NODES || ludus_time_left(p) <= 0; }

/* The seats behind us, less the seats before us. Points decide between equals. */
static double worth(Position *p) {
    double worth = ludus_score(p, p->seat) / 1000;
    for (int seat = 0; seat < p->seats; seat++) {
        if (ludus_place(p, seat) > ludus_place(p, p->seat)) worth++;
        if (ludus_place(p, seat) < ludus_place(p, p->seat)) worth--;
    }
    return worth;
}

/* Plays the move, then at random to the end. Gives the result, and goes back. */
static double play_out(Position *p, const char *move) {
    ludus_play(p, move);
    while (!ludus_over(p) && p->depth < PLIES) ludus_play(p, ludus_legal(p, ludus_random(p, ludus_count(p))));
    double result = ludus_over(p) ? worth(p) : (double) ludus_evaluate(p) / LUDUS_WIN;
    while (p->depth > 0) ludus_undo(p);
    return result;
}

static const char *choose(Position *p) {
    int count = ludus_count(p), best = 0;
    double *totals = calloc(count, sizeof *totals), *games = calloc(count, sizeof *games);
    for (int dream = 0; count > 1 && !out_of_time(p); dream++) {
        ludus_imagine(p, dream); /* other cards each time */
        for (int i = 0; i < count && !out_of_time(p); i++) { /* each move with the same cards */
            totals[i] += play_out(p, ludus_legal(p, i));
            games[i]++;
        }
    }
    for (int i = 1; i < count; i++)
        if (games[i] > 0 && totals[i] / games[i] > totals[best] / games[best]) best = i;
    free(totals);
    free(games);
    return ludus_legal(p, best);
}

int main(void) { return ludus_main(choose); }

/* Minimax and alpha-beta through the arena's own rules: minimax [DEPTH] [alpha-beta] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIN 10000000L

static char line[1 << 20];
static int cuts, me;

/* The number behind a key of the line, which has this key. */
static long number(const char *key) { return atol(strstr(line, key) + strlen(key)); }

/* A copy of the list of moves: a","b","c */
static char *list(void) {
    char *from = strstr(line, "\"legal\":[\"");
    if (!from) exit(1);
    from += 10;
    size_t length = strstr(from, "\"]") - from;
    char *copy = malloc(length + 1);
    memcpy(copy, from, length);
    copy[length] = 0;
    return copy;
}

static long best(int at, int depth, long alpha, long beta, char *chosen);

static long child(int at, const char *move, int depth, long alpha, long beta) {
    printf("{\"type\":\"explore\",\"at\":%d,\"play\":\"%s\"%s}\n", at, move,
           depth ? "" : ",\"legal\":false,\"evaluate\":true");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) exit(0);
    if (strstr(line, "\"over\":")) return number("\"value\":") * (WIN + depth);
    if (!depth) return number("\"evaluation\":");
    return best(at + 1, depth, alpha, beta, NULL);
}

/* The line has the node. */
static long best(int at, int depth, long alpha, long beta, char *chosen) {
    int mine = at == 0 || number("\"turn\":") == me;
    char *moves = list();
    long found = mine ? -2 * WIN : 2 * WIN;
    for (char *move = moves, *next; move; move = next) {
        char *end = strstr(move, "\",\"");
        next = end ? end + 3 : NULL;
        if (end) *end = 0;
        long value = child(at, move, depth - 1, alpha, beta);
        if (mine ? value > found : value < found) {
            found = value;
            if (chosen) strcpy(chosen, move);
        }
        if (mine && value > alpha) alpha = value;
        if (!mine && value < beta) beta = value;
        if (cuts && alpha >= beta) break;
    }
    free(moves);
    return found;
}

int main(int count, char **words) {
    int depth = count > 1 ? atoi(words[1]) : 99;
    cuts = count > 2 && !strcmp(words[2], "alpha-beta");
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "{\"type\":\"turn\"", 14)) continue;
        char move[600];
        long id = number("\"id\":");
        me = number("\"seat\":");
        best(0, depth, -2 * WIN, 2 * WIN, move);
        printf("{\"id\":%ld,\"move\":\"%s\"}\n", id, move);
        fflush(stdout);
    }
    return 0;
}

/* A bot for Ludus in C, without a JSON library: the legal moves are a flat list of plain strings.
 *
 * Try it:  cc -O2 -o first_bot bots/c/first_bot.c
 *          arena match tic-tac-toe ./first_bot builtin:random
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20]; /* the arena's lines are shorter than this */

/* The number after "key": in the line, or 0. */
static unsigned long long number_after(const char *key) {
    const char *at = strstr(line, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Prints one of the moves in "legal":["a1","b2",...], chosen at random. */
static void answer(void) {
    const char *moves[4096];
    int count = 0;
    char *at = strstr(line, "\"legal\":[");
    if (!at) return;
    at += strlen("\"legal\":[");
    while (*at == '"' && count < 4096) { /* each move is between two quotation marks */
        char *end = strchr(++at, '"');
        *end = '\0';
        moves[count++] = at;
        at = end + (end[1] == ',' ? 2 : 1);
    }
    printf("{\"move\":\"%s\"}\n", moves[rand() % count]);
    fflush(stdout); /* without this the answer stays in a buffer */
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) { /* until the arena closes the pipe */
        if (strstr(line, "\"type\":\"start\"")) srand((unsigned) number_after("\"bot_seed\":"));
        if (strstr(line, "\"type\":\"turn\"")) answer();
    }
    return 0;
}

/* The kit for C: the loop, the rules, the clock. One file, with nothing but the C library.
 *
 * A bot is a function that takes a position and returns one of its legal moves:
 *
 *     #include "ludus.h"
 *     static const char *choose(Position *p) { return ludus_legal(p, 0); }
 *     int main(void) { return ludus_main(choose); }
 *
 * The position knows the rules, because the arena answers for it. So a bot can play moves and take
 * them back while it thinks. The game itself stays where it is.
 */
#ifndef LUDUS_H
#define LUDUS_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LUDUS_WIN 1000000L  /* what a won game is worth */
#define LUDUS_NEAR 100      /* so many nodes before its limit a search should stop */
#define LUDUS_DEPTH 10000   /* the arena allows no deeper path */
#define LUDUS_SEATS 16

/* What the arena has told about a place in the game. */
typedef struct {
    char *line, *view, *view_line;
    char **legal; /* NULL if the arena has not told the moves */
    int count, turn, simultaneous, value, evaluated;
    long evaluation;
    const char *over;
    int places[LUDUS_SEATS];
    double scores[LUDUS_SEATS];
} LudusNode;

/* A position to think about. It begins where your bot must decide. */
typedef struct {
    int seat, seats;       /* you, and how many play */
    int depth;             /* moves played since the turn */
    long nodes;            /* positions visited in this turn */
    const char *start;     /* the message `start` as JSON: `params` and more */
    const char *events;    /* what has happened since your last turn, as JSON */
    int friends[LUDUS_SEATS], evaluate;
    unsigned long long dice;
    double until, most_nodes;
    char match[80];        /* names the game in its first request */
    char info[1200];
    LudusNode path[LUDUS_DEPTH + 1];
} Position;

/* JSON ******************************************************************************************/

/* The end of the JSON value that begins here. */
static inline char *ludus_end(const char *at) {
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            if (*at == '\\' && at[1]) at++;
        return (char *) at + (*at == '"');
    }
    if (*at == '{' || *at == '[') {
        for (at++; *at && *at != '}' && *at != ']';) {
            at = ludus_end(at);
            if (*at == ',' || *at == ':') at++;
        }
        return (char *) at + (*at != 0);
    }
    while (*at && !strchr(",:]}", *at)) at++;
    return (char *) at;
}

/* The value of a key of the JSON object that begins here, or NULL. */
static inline char *ludus_find(const char *object, const char *key) {
    if (!object || *object != '{') return NULL;
    for (const char *at = object + 1; *at == '"';) {
        const char *name = at + 1, *end = ludus_end(at);
        if (!*end) return NULL;
        size_t length = (size_t) (end - 1 - name);
        if (length == strlen(key) && !strncmp(name, key, length)) return (char *) end + 1;
        at = ludus_end(end + 1);
        if (*at == ',') at++;
    }
    return NULL;
}

/* The number of a key, or 0. */
static inline double ludus_number(const char *object, const char *key) {
    const char *at = ludus_find(object, key);
    return at ? strtod(at, NULL) : 0;
}

static inline int ludus_is_true(const char *object, const char *key) {
    const char *at = ludus_find(object, key);
    return at && *at == 't';
}

/* Makes a text of the JSON text that begins here, in its own place. Cuts the JSON off behind it. */
static inline char *ludus_text(char *at) {
    char *text = at, *to = at;
    for (at++; *at && *at != '"'; at++) {
        if (*at != '\\') {
            *to++ = *at;
        } else if (*++at == 'u') { /* \u0041 */
            char digits[5] = {0};
            strncpy(digits, at + 1, 4);
            unsigned code = (unsigned) strtoul(digits, NULL, 16);
            at += strlen(digits);
            if (code >= 0x800) *to++ = (char) (0xe0 | code >> 12);
            if (code >= 0x80) *to++ = (char) (code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6);
            *to++ = (char) (code >= 0x80 ? 0x80 | (code & 0x3f) : code);
        } else {
            const char *letter = strchr("b\bf\fn\nr\rt\t", *at);
            *to++ = letter ? letter[1] : *at;
        }
    }
    *to = 0;
    return text;
}

/* Writes a text as JSON. */
static inline void ludus_quote(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fprintf(out, "\\%c", *text);
        else if ((unsigned char) *text < ' ') fprintf(out, "\\u%04x", *text);
        else fputc(*text, out);
    }
    fputc('"', out);
}

/* The arena ************************************************************************************/

static inline void ludus_fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

/* The next line of the arena, which the caller frees. The bot ends with its input. */
static inline char *ludus_hear(void) {
    char *line = NULL;
    size_t size = 0;
    fflush(stdout);
    if (getline(&line, &size, stdin) < 0) exit(0);
    return line;
}

/* Reads what a `turn` or a `node` tells. The node keeps the line. */
static inline void ludus_read(LudusNode *node, char *line) {
    char *legal = ludus_find(line, "legal"), *over = ludus_find(line, "over");
    char *places = ludus_find(line, "places"), *scores = ludus_find(line, "scores");
    char *message = ludus_find(line, "message"); /* a `problem`, or the `error` that ends the game */
    if (message) ludus_fail(ludus_text(message));
    free(node->line);
    free(node->view_line);
    free(node->legal);
    memset(node, 0, sizeof *node);
    node->line = line;
    node->turn = (int) ludus_number(line, "turn");
    node->simultaneous = ludus_is_true(line, "simultaneous");
    node->value = (int) ludus_number(line, "value");
    node->evaluated = ludus_find(line, "evaluation") != NULL;
    node->evaluation = (long) ludus_number(line, "evaluation");
    node->view = ludus_find(line, "view");
    for (int seat = 0; places && scores && seat < LUDUS_SEATS && *places != ']'; seat++) {
        node->places[seat] = (int) strtol(places + 1, &places, 10);
        node->scores[seat] = strtod(scores + 1, &scores);
    }
    if (node->view) *ludus_end(node->view) = 0;
    if (over) node->over = ludus_text(over);
    if (!legal) return;
    size_t room = 64;
    node->legal = malloc(room * sizeof *node->legal);
    for (char *at = legal + 1; *at == '"'; node->count++) {
        char *end = ludus_end(at), *next = end + (*end == ',');
        if ((size_t) node->count == room) {
            room *= 2;
            node->legal = realloc(node->legal, room * sizeof *node->legal);
        }
        node->legal[node->count] = ludus_text(at);
        at = next;
    }
}

static inline LudusNode *ludus_node(Position *p) { return &p->path[p->depth]; }

/* Begins a request. Only the first one of a game has to name the game. */
static inline void ludus_ask(Position *p) {
    printf("{\"type\":\"explore\"");
    if (*p->match) {
        printf(",\"match\":");
        ludus_quote(stdout, p->match);
        *p->match = 0;
    }
}

/* Asks for more about the node where the position stands. */
static inline LudusNode ludus_more(Position *p, const char *facts) {
    LudusNode more = {0};
    ludus_ask(p);
    printf(",\"at\":%d%s}\n", p->depth, facts);
    ludus_read(&more, ludus_hear());
    return more;
}

static inline void ludus_step(Position *p, const char *move, const char *facts) {
    if (p->depth == LUDUS_DEPTH) ludus_fail("this path is too long");
    ludus_ask(p);
    printf(",\"at\":%d,\"play\":", p->depth);
    ludus_quote(stdout, move);
    printf("%s}\n", facts);
    char *line = ludus_hear();
    p->depth++;
    p->nodes++;
    ludus_read(ludus_node(p), line);
}

/* What a bot uses *****************************************************************************/

/* The number of legal moves; 0 if the game is over. */
static inline int ludus_count(Position *p) {
    LudusNode *node = ludus_node(p);
    if (!node->legal && !node->over) {
        LudusNode more = ludus_more(p, "");
        free(node->line); /* nothing points into this line: it has neither moves nor a view */
        node->line = more.line, node->legal = more.legal, node->count = more.count;
    }
    return node->count;
}

/* One of the legal moves. */
static inline const char *ludus_legal(Position *p, int number) {
    return number < ludus_count(p) ? ludus_node(p)->legal[number] : NULL;
}

/* The seat that decides here. */
static inline int ludus_turn(Position *p) { return ludus_node(p)->turn; }

/* Do you decide here, or a seat of your team? */
static inline int ludus_ours(Position *p) { return p->friends[ludus_turn(p)]; }

/* Do other seats decide at the same time? */
static inline int ludus_simultaneous(Position *p) { return ludus_node(p)->simultaneous; }

/* Why the game is over; NULL if the game goes on. */
static inline const char *ludus_over(Position *p) { return ludus_node(p)->over; }

/* Your result when the game is over: 1, 0 or -1. */
static inline int ludus_value(Position *p) { return ludus_node(p)->value; }

/* The place of a seat when the game is over; 1 is best. */
static inline int ludus_place(Position *p, int seat) { return ludus_node(p)->places[seat]; }

/* The points of a seat when the game is over. */
static inline double ludus_score(Position *p, int seat) { return ludus_node(p)->scores[seat]; }

/* What the seat that decides here can see, as JSON. */
static inline const char *ludus_view(Position *p) {
    LudusNode *node = ludus_node(p);
    if (!node->view) {
        LudusNode more = ludus_more(p, ",\"legal\":false,\"view\":true");
        node->view_line = more.line, node->view = more.view;
    }
    return node->view;
}

/* How good the position is for you, from -LUDUS_WIN to LUDUS_WIN; 0 where the arena gives no estimate. */
static inline long ludus_evaluate(Position *p) {
    LudusNode *node = ludus_node(p);
    if (node->over) return node->value * LUDUS_WIN;
    if (p->evaluate && !node->evaluated) {
        LudusNode more = ludus_more(p, ",\"legal\":false,\"evaluate\":true");
        node->evaluation = more.evaluation, node->evaluated = 1;
        free(more.line);
    }
    return node->evaluation;
}

/* Plays a move. */
static inline void ludus_play(Position *p, const char *move) { ludus_step(p, move, ""); }

/* Plays a move too, and asks for the evaluation, not for the legal moves. This is quicker. */
static inline void ludus_play_leaf(Position *p, const char *move) {
    ludus_step(p, move, p->evaluate ? ",\"legal\":false,\"evaluate\":true" : ",\"legal\":false");
}

/* Takes the last move back. */
static inline void ludus_undo(Position *p) {
    if (p->depth == 0) ludus_fail("there is no move to take back");
    p->depth--;
}

/* Goes back to the turn, and imagines all that you can't know. Each seed gives other cards. */
static inline void ludus_imagine(Position *p, long seed) {
    LudusNode root = {0};
    ludus_ask(p);
    printf(",\"imagine\":%ld,\"legal\":false}\n", seed);
    ludus_read(&root, ludus_hear());
    free(root.line);
    p->depth = 0;
    p->nodes++;
}

static inline double ludus_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* Seconds that you may go on thinking: half of the time for a move, and a little of the bank. 0 if
 * the arena soon allows no more nodes. */
static inline double ludus_time_left(Position *p) {
    return p->nodes + LUDUS_NEAR > p->most_nodes ? 0 : p->until - ludus_now();
}

/* A whole number below `count`. The same game gives the same numbers (splitmix64). */
static inline int ludus_random(Position *p, int count) {
    unsigned long long z = p->dice += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return (int) ((z ^ (z >> 31)) % (unsigned long long) count);
}

/* Writes a note into the record; `arena show` prints the note beside the move. */
static inline void ludus_log(const char *text) {
    printf("{\"type\":\"log\",\"text\":");
    ludus_quote(stdout, text);
    printf("}\n");
    fflush(stdout);
}

/* Says what your search has found. `move` may be NULL. */
static inline void ludus_info(Position *p, int depth, double score, const char *move) {
    snprintf(p->info, sizeof p->info, "\"depth\":%d,\"score\":%g%s%.500s%s,", depth, score,
             move ? ",\"pv\":[\"" : "", move ? move : "", move ? "\"]" : "");
}

/* Begins a game. */
static inline void ludus_begin(Position *p, char *line) {
    free((void *) p->start);
    p->start = line;
    p->seats = (int) ludus_number(line, "seats");
    p->dice = strtoull(ludus_find(line, "bot_seed"), NULL, 10);
    p->evaluate = ludus_is_true(ludus_find(line, "explore"), "evaluate");
    p->most_nodes = ludus_number(ludus_find(line, "explore"), "nodes");
    const char *match = ludus_find(line, "match");
    snprintf(p->match, sizeof p->match, "%.*s", (int) (ludus_end(match) - match - 2), match + 1);
    memset(p->friends, 0, sizeof p->friends);
    p->friends[(int) ludus_number(line, "seat")] = 1;
    const char *team = ludus_find(line, "teams"); /* [[0,2],[1,3]] */
    while (team && *++team == '[') {
        int seats[LUDUS_SEATS] = {0}, ours = 0;
        for (char *at = (char *) team; *at != ']';) {
            int seat = (int) strtol(at + 1, &at, 10);
            seats[seat] = 1;
            ours |= p->friends[seat];
        }
        if (ours) memcpy(p->friends, seats, sizeof seats);
        team = ludus_end(team);
    }
}

/* Answers the arena until the arena says `quit`. `choose` takes a position and gives a move. */
static inline int ludus_main(const char *(*choose)(Position *)) {
    static Position p;
    for (;;) {
        char *line = ludus_hear(), *type = ludus_find(line, "type");
        if (!type) ludus_fail(line);
        if (!strncmp(type, "\"start\"", 7)) {
            ludus_begin(&p, line);
        } else if (!strncmp(type, "\"turn\"", 6)) {
            double id = ludus_number(line, "id");
            const char *clock = ludus_find(line, "clock");
            double thinking = ludus_number(clock, "move_ms") / 2 + ludus_number(clock, "bank_ms") / 40;
            p.until = ludus_now() + thinking / 1000;
            p.seat = (int) ludus_number(line, "seat");
            p.events = ludus_find(line, "events");
            p.depth = 0;
            p.nodes = 0;
            p.info[0] = 0;
            ludus_read(&p.path[0], line);
            p.path[0].turn = p.seat;
            const char *move = choose(&p);
            printf("{\"move\":");
            ludus_quote(stdout, move);
            printf(",\"id\":%.0f,\"info\":{%s\"nodes\":%ld}}\n", id, p.info, p.nodes);
        } else if (!strncmp(type, "\"error\"", 7)) {
            ludus_fail(ludus_text(ludus_find(line, "message")));
        } else {
            if (!strncmp(type, "\"quit\"", 6)) return 0;
            free(line);
        }
    }
}

#endif

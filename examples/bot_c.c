/* A bot in C: it speaks the text protocol and drops where most of its own discs are near.
 *
 *     cc -O2 -o bot_c examples/bot_c.c
 *     connectk arena ./bot_c random --games 20
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CELLS 100000

static char line[8 * MOST_CELLS], board[2 * MOST_CELLS];
static int width = 7, height = 6, run = 4;

/* Row 0 is the bottom; the text has the top row first and a slash between rows. */
static char cell(int column, int row) {
    if (column < 0 || column >= width || row < 0 || row >= height) return '#';
    return board[(height - 1 - row) * (width + 1) + column];
}

static int discs(int column) {
    int row = 0;
    while (row < height && cell(column, row) != '.') row++;
    return row;
}

static char side_to_move(void) {
    int x = 0, o = 0;
    for (const char *c = board; *c; c++) x += *c == 'x', o += *c == 'o';
    return x > o ? 'o' : 'x';
}

/* How long the run through a disc dropped into this column would be. */
static int longest_run(int column, char side) {
    static const int right[] = {0, 1, 1, 1}, up[] = {1, 0, 1, -1};
    int row = discs(column), longest = 0;
    for (int d = 0; d < 4; d++) {
        int length = 1;
        for (int way = -1; way <= 1; way += 2)
            for (int step = 1; cell(column + way * step * right[d], row + way * step * up[d]) == side; step++) length++;
        if (length > longest) longest = length;
    }
    return longest;
}

static int value(int column) {
    char me = side_to_move(), other = me == 'x' ? 'o' : 'x';
    int mine = longest_run(column, me), theirs = longest_run(column, other);
    int centre = width - abs(2 * column - (width - 1));
    if (mine >= run) return 1000000;
    if (theirs >= run) return 500000;
    return 100 * (mine + theirs) + centre;
}

static int best_column(void) {
    int best = -1;
    for (int column = 0; column < width; column++)
        if (discs(column) < height && (best < 0 || value(column) > value(best))) best = column;
    return best;
}

/* Whether the other side's disc lies in the middle third, where a first disc is worth most. */
static int first_disc_is_central(void) {
    for (int column = width / 3; column < width - width / 3; column++)
        if (cell(column, 0) == 'x') return 1;
    return 0;
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* an answer in a buffer is no answer */
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "connectk ", 9)) puts("name bot in C\nswap\nready");
        else if (!strncmp(line, "variant ", 8)) sscanf(line, "variant %dx%dx%d", &width, &height, &run);
        else if (!strncmp(line, "position ", 9)) sscanf(line, "position %s", board);
        else if (!strncmp(line, "swap", 4)) puts(first_disc_is_central() ? "swap" : "keep");
        else if (!strncmp(line, "go", 2)) printf("bestmove %d\n", best_column() + 1);
        else if (!strncmp(line, "quit", 4)) break;
    }
    return 0;
}

/* The comment block at the top of a device rung's file, cut into its "key: value" lines. */
#pragma once

#include "base/status.h"

/* In the order in which they are read: tunables before what uses them. */
enum source_key {
    KEY_RUNG,
    KEY_IDEA,
    KEY_TUNE,
    KEY_GROUP,
    KEY_GROUPS,
    KEY_ENTRY,
    KEY_ARGS,
    KEY_REQUIRE,
    KEY_NEEDS,
    KEY_SCRATCH,
    KEY_LOCAL,
    KEY_BOUND,
    KEY_TENSOR,
    KEY_TAKES,
    KEY_COUNT,
};

#define BLOCK_LINES_MAX 32
#define BLOCK_VALUE_MAX 1024

struct block_line {
    enum source_key key;
    int number;       /* of the line in the file, from 1 */
    const char *text; /* the value, without spaces around it; not terminated */
    int length;       /* below BLOCK_VALUE_MAX */
};

struct source_block {
    struct block_line lines[BLOCK_LINES_MAX];
    int count;
    int last; /* number of the block's last line; 1 when there is no block */
};

const char *source_key_name(enum source_key key);

/* Above the first key all lines are prose, "Author: …" too.
 *
 * Returns: STATUS_INVALID with "PATH:LINE: …" for unknown and repeated keys, empty and overlong values, and text that
 * is not UTF-8 text. The lines point into `text`. */
enum status source_block_read(const char *path, const char *text, struct source_block *block, struct error *error);

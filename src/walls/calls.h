/* The system calls that each stage may make. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_ARGUMENTS_MOST 3

/* An argument is as wanted when it is `value` in the bits of `mask`. */
struct call_argument {
    unsigned index;
    uint64_t mask, value;
    bool is_own; /* `value` is this process's number, not known before */
};

/* One way in which a call is allowed; a call may have several. */
struct call_rule {
    const char *name;
    unsigned stages; /* a bit each, 1 << enum walls_stage */
    unsigned count;
    struct call_argument arguments[CALL_ARGUMENTS_MOST];
};

/* Calls that are allowed whatever their arguments are: names, parted by blanks. */
struct call_list {
    unsigned stages;
    const char *names;
};

/* Calls that fail where their arguments are not as wanted, in every stage: a library tries them, and does without. */
extern const char call_failures[];

/* Calls that are answered as if the system did not know them. */
extern const char call_unknown[];

/* Calls that end the process in every stage. */
extern const char call_ends[];

extern const struct call_list call_lists[];
extern const size_t call_list_count;
extern const struct call_rule call_rules[];
extern const size_t call_rule_count;

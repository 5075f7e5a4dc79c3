/* The plain signature of a kernel: how a user's function or textbook kernel without a header gets its arguments. */
#pragma once

#include "kernels/kernel.h"

/* One argument, in the order of the signature. */
/* As a header's `require`: a condition on the problem, and why it is asked, for people. */
struct plain_requirement {
    const char *condition; /* NULL: nothing is asked */
    const char *reason;    /* N_("…") */
};

struct plain_argument {
    const char *name;
    const char *synonyms;   /* other names of it in textbooks, between blanks, in lower case */
    const char *expression; /* as a header's `args` spells it: an array, or an expression over the problem's fields */
    bool is_array, is_size;
    const char *in_float;            /* of an array that has a twin of floats: that twin's name; NULL */
    struct plain_requirement absent; /* what a kernel without it asks of the problem */
    bool is_real;                    /* a factor, never passed as an integer */
    bool by_name; /* passed where a parameter has its name, never by position; not in the prototype */
};

struct plain_signature {
    const char *prototype; /* of the C function, for people; ELEMENT is the problem's type */
    const struct plain_argument *arguments;
    size_t count;
    size_t output;                      /* index of the one array that is written */
    struct plain_requirement lone_size; /* where a kernel has one size for all */
    /* An argument by which textbooks multiply what the output holds, though it may be 0: for a file with that argument
     * the output holds numbers before a run, never NaN. NULL: there is none. */
    const char *output_factor;
    bool by_value; /* it computes with its elements: a kernel of one type is right for no other type of that size */
    const char *no_halves; /* why a function in C takes no elements of 16 bits; NULL: it does */
    /* The index space of a kernel of one item per result, "ceil(cols / 16), …"; and its groups. */
    const char *group, *groups;
    const char *bound; /* rung.bound of a file without one; "" where the kernel needs none */
    /* Host half of such a device kernel; NULL: one launch does it all. */
    const struct rung *host_half;
    /* NULL, or why a plain function cannot serve the problem. A NULL function: always can. */
    const char *(*refuses)(const struct problem *problem);
    size_t (*scratch)(const struct problem *problem, const struct device *device, const struct parameters *parameters);
    /* Calls the user's C function on the cpu. */
    void (*call)(struct run *run, void (*function)(void));
};

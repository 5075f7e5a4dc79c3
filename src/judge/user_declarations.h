/* The declarations of a CUDA C++ file: of its outermost level, its namespaces and its extern "C" blocks. Not a parser:
 * enough to tell a kernel from the host's functions, types and variables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum user_declaration_kind {
    DECLARATION_FRAME, /* "namespace x {", "extern "C" {", and their "}" */
    DECLARATION_MACRO, /* a #define */
    DECLARATION_FUNCTION,
    DECLARATION_TYPE,     /* struct, class, union, enum */
    DECLARATION_TYPEDEF,  /* and what names a type without this word */
    DECLARATION_USING,    /* a namespace or a name of one */
    DECLARATION_VARIABLE, /* and whatever else */
};

struct user_declaration {
    enum user_declaration_kind kind;
    size_t from, to;           /* bytes of the text */
    size_t body;               /* of a function: its opening brace; `to` where there is none */
    size_t template;           /* length of "template <…>" at `from`; 0 */
    bool is_kernel, is_device; /* __global__; any other word of the device, by a macro, too */
    bool is_constant;          /* const or constexpr */
    bool is_constexpr;
};

struct user_declarations {
    char *code, *lines; /* the text without comments; `lines` with the preprocessor's lines */
    struct user_declaration *items;
    size_t count, capacity;
};

/* False when memory is out. The caller frees it in either case. */
bool user_declarations_read(const char *text, struct user_declarations *all);
void user_declarations_free(struct user_declarations *all);

/* Whether a preprocessor's line begins there. */
bool user_declarations_directive(const struct user_declarations *all, size_t at);

/* From a preprocessor's line to its end, which is a line's end or the text's. */
size_t user_declarations_directive_end(const struct user_declarations *all, size_t at);

/* Calls `visit` with each name that the declaration declares, until it returns true; returns whether it did. */
bool user_declaration_names(const struct user_declarations *all, const struct user_declaration *one,
                            bool (*visit)(void *context, const char *name, size_t length), void *context);

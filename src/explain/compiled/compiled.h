/* A rung's compiled code: registers, spills, local memory, and machine instructions by class. For CUDA it is read from
 * the machine code that NVRTC makes without a GPU; on a CPU, from this program's own code. */
#pragma once

#include "explain/memory/access_trace.h"
#include "explain/target.h"
#include "kernels/kernel.h"

/* The classes of instructions. Each instruction has exactly one. */
enum code_class {
    CODE_FMA,      /* multiply-adds of floats */
    CODE_FLOAT,    /* other arithmetic of floats */
    CODE_HALF,     /* of half and bfloat16 */
    CODE_FP64,     /* of doubles */
    CODE_TENSOR,   /* matrix products */
    CODE_INTEGER,  /* and comparisons, logic, addresses */
    CODE_CONVERT,  /* between types */
    CODE_SPECIAL,  /* roots, reciprocals, sines */
    CODE_MOVE,     /* between registers */
    CODE_SHUFFLE,  /* between lanes, and votes */
    CODE_LOAD,     /* from any memory except constants */
    CODE_STORE,    /* … */
    CODE_ATOMIC,   /* … */
    CODE_CONSTANT, /* loads of constants and arguments */
    CODE_BARRIER,  /* and fences, waits */
    CODE_BRANCH,   /* and calls, exits */
    CODE_OTHER,
    CODE_CLASSES,
};

struct code_class_info {
    const char *key;   /* for programs: "fma" */
    const char *title; /* for people */
};
extern const struct code_class_info code_classes[CODE_CLASSES];

enum code_space {
    CODE_NO_SPACE,
    CODE_GLOBAL,
    CODE_SHARED,
    CODE_STACK, /* CUDA's local memory: spills, and arrays that do not fit registers */
    CODE_IMAGE, /* textures */
};

/* The units that execute instructions; each has its own rate. */
enum code_pipe {
    PIPE_NONE,    /* handled by the issue stage */
    PIPE_FMA,     /* floats, both halves of the unit */
    PIPE_HEAVY,   /* integer multiplications, one half of the unit */
    PIPE_ALU,     /* integers, logic, comparisons, choices */
    PIPE_XU,      /* roots, conversions, bit counts */
    PIPE_FP64,    /* … */
    PIPE_LSU,     /* memory, and exchanges between lanes */
    PIPE_TEXTURE, /* … */
    PIPE_TENSOR,  /* … */
    CODE_PIPES,
};

/* For programs: "fma", "heavy", … */
extern const char *const code_pipe_keys[CODE_PIPES];

/* The control bits of an instruction, from compute capability 7.0 on: its delay, and which of six scoreboards it sets
 * or waits for. */
struct code_control {
    unsigned char stall; /* clocks before the next instruction; 0: not in the listing */
    signed char result,
        read;           /* scoreboards set until the result is written, and until the operands are read; -1: none */
    unsigned char wait; /* one bit per scoreboard waited for */
};

/* One machine instruction. */
struct explain_instruction {
    enum code_class class;
    enum code_space space; /* of a load, store or atomic operation */
    int bits;              /* bits moved per item; 0: none */
    int line;              /* of the kernel's file; 0: unknown or of another file */
    int loop;              /* index of the innermost loop in kernel.loops; -1: none */
    uint32_t offset;       /* of its code, in bytes */
    bool is_call;
    bool is_barrier;    /* of the group */
    bool is_copy;       /* from global memory to shared memory, past the registers */
    bool is_bulk;       /* … of many bytes, by one item */
    int products;       /* multiply-adds of a matrix product: of a warp's, or of four warps' */
    bool is_of_a_warp;  /* … by one warp (mma.sync), not by a group of four (wgmma) */
    bool is_awaiting;   /* waits for all products of its group of warps */
    bool is_strong;     /* a load or store that other processors see at once: volatile */
    bool is_coherent;   /* … or that other multiprocessors do: past the first cache */
    bool is_at_unknown; /* its address could not always be worked out when the code was executed */
    bool is_division;   /* the start of an integer division */
    bool is_slow_path;  /* of a division or a root: executed for rare operands only */
    short width;        /* of a CPU's arithmetic in vector registers: 128, 256, 512 bits, or 32 and 64 of one number */
    bool is_update;     /* of a CPU: reads its operand in memory and writes it */
    bool is_float;      /* … moves a vector register, or a part of one */
    bool is_by_frame;   /* … its operand in memory is addressed from %rbp */
    enum code_pipe pipe;
    struct code_control control;
};

/* A loop: the instructions from the target of a backward branch to that branch. */
struct explain_loop {
    size_t first, last; /* instructions, both included */
    int parent;         /* the loop around it; -1: none */
    bool is_innermost;
    bool looks_back; /* reads from group to group before its own until it finds what it waits for */
};

/* Instructions that a forward branch or an early exit may skip. */
struct explain_skip {
    size_t first, last; /* both included */
    size_t other_last;  /* of the branch's other side, which begins behind `last`; 0: it has none */
};

#define CODE_WIDTHS 7 /* 8, 16, 32, 64, 128, 256, 512 bits an item (on a CPU: an instruction) */
#define CODE_LINES_MAX 8

struct explain_line_count {
    int line;
    int count;
};

/* One kernel that a rung launches, or on a CPU one function that it calls. */
struct explain_kernel {
    char name[64];
    char file[64]; /* of its source */
    size_t launches;
    int rank;
    size_t group[3], groups[3];
    int registers;         /* per item; 0: unknown */
    int stack_bytes;       /* per item: local memory in CUDA's sense */
    int spill_store_bytes; /* of these, bytes stored for spilled registers; -1: unknown */
    int spill_load_bytes;
    int shared_bytes;    /* per group, static and dynamic */
    int argument_offset; /* of its arguments in the first constant bank; 0: unknown */
    bool is_of_cpu;
    uintptr_t at;    /* of a CPU rung: its code in this process; 0: it is in none */
    int vector_bits; /* a CPU's widest vector registers; 0 elsewhere */

    bool is_disassembled; /* the following fields are known */
    struct explain_instruction *instructions;
    size_t instruction_count;
    struct explain_loop *loops;
    size_t loop_count;
    struct explain_skip *skips;
    size_t skip_count;
    int counts[CODE_CLASSES];                    /* of all its code, each instruction once */
    int loop_counts[CODE_CLASSES];               /* of its longest innermost loop; on a CPU, of that with most work */
    int loads[CODE_WIDTHS], stores[CODE_WIDTHS]; /* of global memory; operands of a CPU's arithmetic, too */
    int arithmetic[CODE_WIDTHS];                 /* of a CPU, in vector registers */
    int shared_loads[CODE_WIDTHS], shared_stores[CODE_WIDTHS]; /* … of the group's */
    struct explain_line_count fp64_lines[CODE_LINES_MAX];      /* most instructions first */
    size_t fp64_line_count;

    /* By executing its machine code (explain/machine/count.h); NULL and 0 where that was not done. */
    double *executed;                /* of each instruction: by warps, in all launches */
    double *longest;                 /* … by the warp of a group that executes most, on average */
    double *lanes;                   /* … by lanes, in all launches */
    bool is_decided_by_data;         /* a branch hangs on what is loaded: these are then no more than a guess */
    bool lacks_addresses;            /* some address was not known: it hangs on what was loaded */
    struct explain_access *accesses; /* by the first rules of its architecture */
    size_t access_count;
};

/* Items of a group; groups of one launch. */
static inline size_t explain_kernel_items(const struct explain_kernel *kernel)
{
    return kernel->group[0] * kernel->group[1] * kernel->group[2];
}

static inline double explain_kernel_groups(const struct explain_kernel *kernel)
{
    return (double)(kernel->groups[0] * kernel->groups[1] * kernel->groups[2]);
}

struct explain_compiled {
    char reason[512];                         /* why nothing was compiled; empty where it was */
    bool is_refused;                          /* … because the rung cannot be launched there */
    bool is_broken;                           /* … because its source does not compile */
    char no_code[512];                        /* why instructions were not counted */
    const char *read_from;                    /* where an OpenCL runtime's code was found; NULL elsewhere */
    char stands_in[EXPLAIN_ARCHITECTURE_MAX]; /* the oldest architecture that the compiler supports, where it does not
                                                 support the target's any more; otherwise empty */
    struct explain_kernel *kernels;
    size_t kernel_count;
    size_t reads, writes; /* times that the host waits for a result of the device, and sends it data, in one run */
};

/* Compiles the kernels that the rung launches, for the target's architecture, and counts their instructions.
 * `architecture` receives the code's architecture. A missing figure leaves its reason.
 * The caller frees the result with explain_compiled_free. */
void explain_compile(const struct problem *problem, const struct rung *rung, const struct parameters *parameters,
                     const struct explain_target *target, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                     struct explain_compiled *compiled);
void explain_compiled_free(struct explain_compiled *compiled);

/* A recorded launch's kernel, without its code. */
struct recorded_launch;
struct recorded_program;
struct explain_kernel explain_kernel_of(const struct recorded_launch *launch, const struct recorded_program *program);

/* Sums over all kernels, for one line and for JSON. */
struct explain_totals {
    int registers;   /* the most of any */
    int spill_bytes; /* stored and loaded, of all; -1: unknown */
    int stack_bytes; /* the most of any */
    int shared_bytes;
    int fp64_instructions; /* of all; -1: unknown, as on a CPU, where the functions for every type are present */
    int instructions;
};
struct explain_totals explain_totals_of(const struct explain_compiled *compiled);

/* Recounts the sums that follow from kernel->instructions: classes, widths, lines, loops. */
void explain_kernel_count(struct explain_kernel *kernel);
/* Of a CPU: the inner loop that is counted becomes the one that did most work, where each instruction was executed so
 * many times. Before, it is the one with most work in its code: a rung has loops for several element types. */
void explain_kernel_count_loop(struct explain_kernel *kernel, const double *times);

double explain_kernel_warps(const struct explain_kernel *kernel); /* the warps of all its launches */

/* This kernel's share of its function's warps. A function that is launched with several shapes is several kernels, but
 * the trace only distinguishes functions. */
double explain_kernel_share(const struct explain_compiled *compiled, size_t kernel);

/* Whether this kernel's function made the access. */
bool explain_is_access_of(const struct explain_access *access, const struct explain_kernel *kernel);

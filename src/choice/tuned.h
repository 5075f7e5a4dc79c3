/* What rungs were measured to cost, problem by problem and device by device: the tuned files.
 *
 * A file has a JSON object on each line:
 *
 *   {"problem": "dot:n=1000,f32", "kind": "cpu", "device": "AMD EPYC", "version": "AVX2, FMA", "threads": 2,
 *    "ns": {"serial": 480, "simd": 95}, "code": {"simd": "0f1e2d3c"}}
 *
 * `kind`: cpu, cuda, opencl (on a GPU), opencl_cpu. `device` and `version` are the properties' name and version.
 * `threads`, and `cores` of the machine: on the cpu only. `ns`: of one run of each rung, hot. Further members may be
 * missing: `driver` (not on the cpu) and `code` (code_hash.h) say of what the times are; `tunables`, {"vector": "BX=32
 * BY=4"}, with which values of its tunables a rung was measured where these are not its defaults; `uskor` is the
 * program's version. A time of other code than the program's is stale, and so is a line of this device's with another
 * driver: both are left out. Files are read one after another: the shipped ones (share/uskor/tuned, built into the
 * program), /etc/uskor/tuned.jsonl, uskor/tuned.jsonl in the user's data folder, and the one that USKOR_TUNED names;
 * "none" there leaves out all but the shipped ones. A later line replaces an earlier one of the same problem, device
 * and threads; a shipped one stays beside it, marked. */
#pragma once

#include "base/flat_json.h"
#include "kernels/kernel.h"

/* The kinds of device whose rankings of rungs have to do with each other. */
enum tuned_kind {
    TUNED_CPU,
    TUNED_CUDA,
    TUNED_OPENCL,     /* on a GPU */
    TUNED_OPENCL_CPU, /* PoCL: its ranking says nothing about a GPU */
    TUNED_KIND_COUNT, /* any other device: nothing is known of it */
};

enum { TUNED_RUNGS_MAX = 32, TUNED_TUNABLES_MAX = 80 };

struct tuned_time {
    char rung[RUNG_NAME_MAX];
    char tunables[TUNED_TUNABLES_MAX]; /* "BX=32 BY=4"; "": its defaults for the problem */
    double nanoseconds;                /* above 0 */
    uint32_t code;                     /* a hash of its code; 0: unknown */
};

struct tuned_entry {
    struct problem problem;
    enum tuned_kind kind;
    char device[96], version[96];
    char driver[128]; /* "": unknown, or the cpu */
    int threads;      /* 0: not on the cpu, or unknown */
    int cores;        /* of the machine, on the cpu; 0: unknown */
    struct tuned_time times[TUNED_RUNGS_MAX];
    size_t count;       /* of times; at least 1 */
    double openblas;    /* nanoseconds of OpenBLAS, also where the ladder has no such rung; 0: not measured */
    bool is_cut;        /* stale times were left out */
    bool is_shipped;    /* with the program: not measured by its user */
    bool is_replaced;   /* by the user's line of the same problem, device and threads */
    unsigned alignment; /* of the problem's rows: tuned_alignment */
    const char *file;
};

struct tuned_entries {
    const struct tuned_entry *items;
    size_t count;
};

/* The kernel's entries of the cpu, or, for any other kind, of all other kinds; read on first use. They live as long as
 * the program. None without memory. Safe in threads. */
struct tuned_entries tuned_entries(const struct kernel *kernel, enum tuned_kind kind);

/* Whether any of these is not shipped. */
bool tuned_has_own(const struct kernel *kernel, enum tuned_kind kind);

/* Four bits for each of the problem's arrays: the power of two, up to that of TUNED_LINE, of whose bytes its rows are
 * whole multiples; TUNED_LINE where it has one row. */
enum { TUNED_WORD = 3, TUNED_VECTOR = 4, TUNED_SECTOR = 5, TUNED_LINE = 6, TUNED_ALIGNMENT_BITS = 4 };
unsigned tuned_alignment(const struct problem *problem);

enum tuned_kind tuned_kind_of(const struct device *device);
const char *tuned_kind_name(enum tuned_kind kind);

/* Reads one line of a tuned file. STATUS_INVALID says what is wrong with it. Stale times are left out; `error` names
 * the first one's rung then ("" where there is none), and STATUS_UNAVAILABLE says that no other is left. `file` is
 * borrowed. */
enum status tuned_read_line(const char *line, size_t length, const char *file, struct tuned_entry *entry,
                            struct error *error);

/* The kind, the device, its version and its driver that a line names. STATUS_INVALID says which is wrong. */
enum status tuned_read_device(const struct flat_json *json, struct tuned_entry *entry, struct error *error);

/* Whether the entry is of this device, with whatever driver. */
bool tuned_is_of_device(const struct tuned_entry *entry, const struct device *device);

/* Whether the entry is of this device, but with another driver. */
bool tuned_has_other_driver(const struct tuned_entry *entry, const struct device *device);

/* Describes the device and the number of threads in an entry, as it is measured now. */
void tuned_describe(const struct device *device, int threads, struct tuned_entry *entry);

/* The line of an entry, with its end of line, of malloc; NULL without memory. */
char *tuned_line(const struct tuned_entry *entry);

/* Why a line of a file that was read so far is left out: "FILE:3: …"; "" when all are taken. The first one only. */
const char *tuned_complaint(void);

/* For a `take` of tuned_each_line: that line is left out. */
void tuned_complain(const char *file, size_t number, const struct error *why);

/* The same for times of code that has changed since: "FILE:3: rung 'simd' has changed since it was measured". `count`
 * receives how many lines have such times. */
const char *tuned_stale(size_t *count);

/* Calls `take` for each line of all files, in their order. `file` lives as long as the program. Not from `take`. */
typedef void tuned_take(void *context, const char *line, size_t length, const char *file, size_t number);
void tuned_each_line(tuned_take *take, void *context);

/* Writes the name of the user's own file; STATUS_UNAVAILABLE when no folder is known. */
enum status tuned_own_file(char *path, size_t size, struct error *error);

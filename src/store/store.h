/* The store: one SQLite file that keeps every measurement, with all its samples, the machine, the driver and the code's
 * version, from the moment it is made.
 *
 * Writers commit one measurement at a time: a program that is killed loses at most what it was measuring. Several
 * programs may write at once (write-ahead log; each waits up to ten seconds for the others). A file of another
 * layout, a damaged one and one that is not a store are refused with STATUS_INVALID and left as they are.
 * STATUS_SYSTEM: the system refused (permissions, a full disk, a file that stays locked); STATUS_UNAVAILABLE: no
 * memory, or no store there to read.
 *
 * Times of day are seconds since 1970, UTC. A `struct store` is used by one thread at a time. Numbers of runs, machines
 * and measurements are the store's own, from 1; 0 means none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "store/measurement.h"

struct store;

/* Opens the file for reading and writing, and makes it (and, for the default only, its folders) when it is not there.
 * `path` NULL: $XDG_DATA_HOME/uskor/store.sqlite, by default below ~/.local/share; STORE_IN_MEMORY: a store that is
 * gone when it is closed. A name that is not a file's (":memory:", "file:…") is refused. On failure *store is NULL. A
 * file that was made and in which nothing was kept is removed again, when it is closed. */
enum status store_open(const char *path, struct store **store, struct error *error);
extern const char STORE_IN_MEMORY[];

/* Opens an existing file to read from it only: it may lie where nothing can be written. STATUS_UNAVAILABLE when there
 * is none. */
enum status store_open_to_read(const char *path, struct store **store, struct error *error);

void store_close(struct store *store); /* NULL is fine */

/* The file's name, as messages have it. Owned by the store. */
const char *store_path(const struct store *store);

/* ---- machines --------------------------------------------------------------------------------------------- */

/* One property of a device: "memory_bytes", "17179869184". */
struct device_fact {
    char key[48];
    char value[256];
};

/* A device as some driver showed it; a new driver makes a new one. */
struct machine_device {
    char id[32]; /* "cuda:0" */
    char name[256];
    char driver[128];
    struct device_fact *facts;
    size_t fact_count;
};

/* A machine's known facts; never its name. Two machines that agree in all facts are one. */
struct machine {
    int64_t id;
    char fingerprint[17]; /* 64 bits of the facts below, in hexadecimal */
    char cpu[128];
    char architecture[32]; /* "x86_64" */
    char kernel[128];      /* "Linux 6.1.0" */
    char os[128];          /* "Debian GNU/Linux 12 (bookworm)" */
    unsigned cores;        /* logical, on line */
    unsigned core_count;   /* physical, of this machine; 0: unknown (it is not stored) */
    uint64_t memory_bytes; /* to the nearest 64 MiB, as it differs a little from boot to boot */
    struct machine_device *devices;
    size_t device_count;
};

/* The facts of the machine that this program runs on, without devices and with id 0. */
void machine_here(struct machine *machine);

/* This machine's number in the store; it is entered when it is new (in a store that can be written, else
 * STATUS_UNAVAILABLE). */
enum status store_this_machine(struct store *store, int64_t *machine, struct error *error);

/* A machine with its devices; `machine` is the caller's, who frees what it holds with machine_free. */
enum status store_machine(struct store *store, int64_t id, struct machine *machine, struct error *error);
void machine_free(struct machine *machine);

/* Enters a device of a machine; one that is there already (same id, name and driver) gets these facts. */
enum status store_put_device(struct store *store, int64_t machine, const struct machine_device *device,
                             struct error *error);

/* ---- runs ------------------------------------------------------------------------------------------------- */

/* One start of a command that measures. */
struct run_facts {
    const char *command; /* the command line, at most 1023 bytes are kept */
    const char *label;   /* the user's, or "reproduce:transpose-2013"; NULL or "": none; at most 127 bytes are kept */
    const char *code_version;
};

struct store_run {
    int64_t id, machine;
    int64_t started;
    char key[33]; /* random, in hexadecimal: unique to the run, in other stores too */
    char command[1024];
    char label[128];
    char code_version[64];
    size_t measurements; /* how many it has, without ceilings */
    size_t wrong;        /* how many of them FAILed or had an ERROR */
};

struct store_run_list {
    struct store_run *items;
    size_t count;
};

/* Enters a run of this machine that begins now. */
enum status store_begin_run(struct store *store, const struct run_facts *facts, int64_t *run, struct error *error);

/* ---- measurements ----------------------------------------------------------------------------------------- */

/* Keeps a measurement of a run, samples included; on STATUS_OK it is in the file. `id` (may be NULL) receives its
 * number. The measurement's `number` is its place in the run (0, or one that is taken: after all that are there); its
 * `id` and `run` are not read. */
enum status store_add(struct store *store, int64_t run, const struct measurement *measurement, int64_t *id,
                      struct error *error);

/* Puts a newer state of the same measurement in its place. */
enum status store_replace(struct store *store, int64_t id, const struct measurement *measurement, struct error *error);

/* A measurement's data besides its samples: a text of some kind ("timeline", JSON), one of each kind. Putting it again
 * replaces it. */
enum status store_put_attachment(struct store *store, int64_t measurement, const char *kind, const char *text,
                                 struct error *error);

/* The caller frees *text with free(); it is NULL when the measurement has none of that kind. */
enum status store_attachment(struct store *store, int64_t measurement, const char *kind, char **text,
                             struct error *error);

/* ---- reading ---------------------------------------------------------------------------------------------- */

/* Which measurements (runs: those that have such measurements). A zeroed filter chooses the newest of each. */
struct store_filter {
    const int64_t *runs; /* of these runs only; NULL: of any */
    size_t run_count;
    int64_t machine;     /* 0: any */
    const char *kernel;  /* NULL: any; likewise below */
    const char *problem; /* canonical text */
    const char *rung;    /* the ceilings measured beside it are chosen too */
    const char *device;  /* "cuda:0" */
    const char *label;   /* of the run; a "*" at its end matches anything */
    int64_t since;       /* made then or later */
    bool all;            /* every measurement, not only the newest of each machine, device and its name, problem, rung,
                            parameters, threads and cache state (with the ceilings measured beside those in the same run) */
    size_t most;         /* at most this many runs; 0: all */
};

/* Runs, newest first. `list` is overwritten; the caller frees it with store_run_list_free, on failure it is empty. */
enum status store_runs(struct store *store, const struct store_filter *filter, struct store_run_list *list,
                       struct error *error);
void store_run_list_free(struct store_run_list *list);

/* Appends the measurements to `list`, in the order in which they were made: runs by their start, and within a run as
 * the lab added them. Each has its `id` and `run`. On failure what was appended before stays in the list. */
enum status store_measurements(struct store *store, const struct store_filter *filter, struct measurement_list *list,
                               struct error *error);

/* ---- ceilings --------------------------------------------------------------------------------------------- */

/* A ceiling of a device, measured once and used for every "% of the ceiling". */
struct ceiling {
    int64_t id;
    int64_t machine;
    char device[32];
    char device_name[256];
    char driver[128];
    unsigned threads;    /* of a CPU; else 0 */
    char what[48];       /* "fma-f32", "dram-read", "dram-copy", "l1-read" … */
    double rate;         /* in `unit` */
    char unit[16];       /* "GB/s", "GFLOP/s" */
    int64_t measurement; /* that it was taken from; 0: none */
    int64_t made_at;
};

struct ceiling_list {
    struct ceiling *items;
    size_t count;
};

/* Keeps a ceiling beside the older ones of the same device (its `id` is not read). A `machine` of 0 is this machine. */
enum status store_put_ceiling(struct store *store, const struct ceiling *ceiling, struct error *error);

/* The newest of each machine, device, name, driver, threads and `what`; `machine` 0: of any, `device` NULL: of any.
 * Left out are those of stored measurements that do not last (ceiling_lasts): older programs kept them.
 * `list` is overwritten; the caller frees it with ceiling_list_free, on failure it is empty. */
enum status store_ceilings(struct store *store, int64_t machine, const char *device, struct ceiling_list *list,
                           struct error *error);
void ceiling_list_free(struct ceiling_list *list);

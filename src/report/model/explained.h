/* What the model says of a kernel's rungs, as the report shows it: plain data, made by whoever explains. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPLAINED_LANES 32
#define EXPLAINED_SECTOR 32 /* bytes */
#define EXPLAINED_BANKS 32
#define EXPLAINED_BANK_BYTES 4
#define EXPLAINED_RESOURCES 16
#define EXPLAINED_ACCESSES 64

/* One access in the source, and where the lanes of one warp are in one of its requests. */
struct explained_access {
    char file[64], array[64];
    int line;
    bool is_shared;
    const char *operation;                       /* "load", "store", "atomic", translated when shown */
    unsigned bytes;                              /* of one lane's access */
    double per_request, used_percent, conflicts; /* transactions; of the bytes moved; passes more than needed */
    uint32_t mask;                               /* lanes at work */
    uint64_t at[EXPLAINED_LANES];                /* their addresses */
};

struct explained_resource {
    const char *title; /* translated when shown */
    double ns;
};

struct explained_rung {
    char name[48];
    char step[1024];            /* the generated line, in the reader's language */
    char reason[512];           /* why something is missing: a message; or empty */
    double predicted, measured; /* ns; 0: none */
    struct explained_resource resources[EXPLAINED_RESOURCES];
    size_t resource_count;
    struct explained_access accesses[EXPLAINED_ACCESSES];
    size_t access_count;
};

/* The rungs of a kernel, on a GPU or on the CPU. */
struct explained_kernel {
    char kernel[32], problem[256], target[256];
    char key[40]; /* in names of charts: the kernel, and "-cpu" on the CPU */
    bool is_cpu;
    struct explained_rung *rungs;
    size_t count;
};

/* How the lanes of a request spread: each sector, or bank, that some lane touches, in the order of addresses. */
struct explained_cell {
    uint64_t place; /* the sector's number from the first one; the bank's number */
    unsigned used;  /* bytes of the sector, or different words of the bank, that are touched */
};
struct explained_spread {
    struct explained_cell cells[EXPLAINED_LANES * 4];
    size_t count;
    size_t cell_of[EXPLAINED_LANES]; /* of each lane that is at work: where its first byte is */
    unsigned most;                   /* the greatest `used` */
};
void explained_spread_make(const struct explained_access *access, struct explained_spread *spread);

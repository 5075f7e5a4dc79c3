#include "backends/cpu/strategy.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"
#include "base/translation.h"

/* A thread's part is a whole number of pages, so that no two threads write to one page. */
#define PART_UNIT ((size_t)4096)
/* Arrays from here on are worth many streams and prefetches. */
#define SMALL ((size_t)64 << 10)

/* ---- the list ---- */

struct list {
    struct cpu_strategy *items;
    size_t count;
    bool with_serial;
};

/* On all threads, and where that may pay on one: where all are slower than one, as others use the machine, one stream
 * without prefetches is enough to tell. */
static void add(struct list *list, struct cpu_strategy strategy)
{
    const bool with_serial = list->with_serial && strategy.ahead == 0 && strategy.streams != 2 && strategy.streams != 8;
    for (int serial = 0; serial <= with_serial; serial++)
        if (list->count < CPU_STRATEGIES_MAX) {
            strategy.serial = serial;
            list->items[list->count++] = strategy;
        }
}

/* Every number of streams with every distance, of the widest vectors, the plainest first. */
static void add_widest(struct list *list, bool writes, bool is_large)
{
    static const int streams[] = {1, 4, 2, 8}, distances[] = {0, 3072, 1024, 8192};
    const enum cpu_isa isa = cpu_isa();
    for (size_t d = 0; d < (is_large ? COUNT_OF(distances) : 1); d++)
        for (size_t s = 0; s < (is_large ? COUNT_OF(streams) : 2); s++)
            for (int streaming = 0; streaming <= writes; streaming++)
                add(list, (struct cpu_strategy){streaming ? CPU_MOVER_STREAMING : CPU_MOVER_ORDINARY, isa, streams[s],
                                                distances[d], false});
}

/* Narrower vectors: a few strategies suffice to compare. */
static void add_narrower(struct list *list, bool writes)
{
    const enum cpu_isa best = cpu_isa();
    for (enum cpu_isa isa = CPU_ISA_BASE; isa < best && best != CPU_ISA_NEON; isa++)
        for (int streams = 1; streams <= 4; streams += 3)
            for (int streaming = 0; streaming <= writes; streaming++)
                add(list, (struct cpu_strategy){streaming ? CPU_MOVER_STREAMING : CPU_MOVER_ORDINARY, isa, streams, 0,
                                                false});
}

size_t cpu_strategies(int reads, int writes, size_t bytes, struct cpu_strategy strategies[CPU_STRATEGIES_MAX])
{
    const bool is_large = bytes >= SMALL;
    struct list list = {.items = strategies, .with_serial = pool_threads() > 1};
    if (reads == 1 && writes == 1) {
        add(&list, (struct cpu_strategy){.mover = CPU_MOVER_LIBRARY, .streams = 1});
        if (cpu_has_string_move())
            add(&list, (struct cpu_strategy){.mover = CPU_MOVER_STRING, .streams = 1});
    }
    add_widest(&list, writes > 0, is_large);
    add_narrower(&list, writes > 0);
    return list.count;
}

const char *cpu_strategy_name(const struct cpu_strategy *strategy, int reads, int writes, char *text, size_t size)
{
    static const char *const isas[] = {
        [CPU_ISA_BASE] = "16-byte", [CPU_ISA_AVX2] = "AVX2", [CPU_ISA_AVX512] = "AVX-512", [CPU_ISA_NEON] = "NEON"};
    (void)reads;
    if (strategy->mover == CPU_MOVER_LIBRARY || strategy->mover == CPU_MOVER_STRING)
        snprintf(text, size, "%s", strategy->mover == CPU_MOVER_LIBRARY ? "memcpy" : "rep movsb");
    else
        explain(text, size,
                !writes                                  ? N_("%s loads")
                : strategy->mover == CPU_MOVER_STREAMING ? N_("%s non-temporal stores")
                                                         : N_("%s stores"),
                isas[strategy->isa]);
    if (strategy->streams > 1)
        explain(text, size, "%d interleaved streams, %s", strategy->streams, text);
    if (strategy->ahead)
        explain(text, size, "%s, prefetch %d KiB ahead", text, strategy->ahead / 1024);
    if (strategy->serial)
        explain(text, size, "%s, one thread", text);
    return text;
}

/* ---- walking ---- */

/* A few bytes before the first whole line of the targets, or behind the last. */
static void walk_bytes(const void *const *sources, int read_count, void *const *targets, int write_count, size_t from,
                       size_t to)
{
    for (size_t i = from; i < to; i++) {
        unsigned char byte = 0;
        for (int r = 0; r < read_count; r++)
            byte ^= ((const volatile unsigned char *)sources[r])[i];
        for (int w = 0; w < write_count; w++)
            ((unsigned char *)targets[w])[i] = byte;
    }
}

/* The bytes from..to (whole lines of the targets) of every array, by one thread. */
static void walk_part(const struct cpu_strategy *strategy, const void *const *sources, int read_count,
                      void *const *targets, int write_count, size_t from, size_t to)
{
    if (strategy->mover == CPU_MOVER_LIBRARY) {
        memcpy((char *)targets[0] + from, (const char *)sources[0] + from, to - from);
        return;
    }
    if (strategy->mover == CPU_MOVER_STRING) {
        cpu_string_move((char *)targets[0] + from, (const char *)sources[0] + from, to - from);
        return;
    }
    struct cpu_walk_part part = {.read_count = read_count,
                                 .write_count = write_count,
                                 .bytes = to - from,
                                 .streams = strategy->streams,
                                 .ahead = strategy->ahead};
    for (int r = 0; r < read_count; r++)
        part.sources[r] = (const char *)sources[r] + from;
    for (int w = 0; w < write_count; w++)
        part.targets[w] = (char *)targets[w] + from;
    cpu_walk_part_for(strategy->isa, strategy->mover == CPU_MOVER_STREAMING)(&part);
}

struct walk {
    const struct cpu_strategy *strategy;
    const void *const *sources;
    void *const *targets;
    int read_count, write_count;
    size_t begin, end, unit, parts; /* whole units */
};

static void walk_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct walk *walk = context;
    const size_t units = (walk->end - walk->begin + walk->unit - 1) / walk->unit;
    const size_t from = walk->begin + pool_part(units, walk->parts, index) * walk->unit;
    const size_t to = size_least(walk->begin + pool_part(units, walk->parts, index + 1) * walk->unit, walk->end);
    if (from < to)
        walk_part(walk->strategy, walk->sources, walk->read_count, walk->targets, walk->write_count, from, to);
}

void cpu_walk(const struct cpu_strategy *strategy, const void *const *sources, int read_count, void *const *targets,
              int write_count, size_t bytes)
{
    const void *first = write_count ? targets[0] : sources[0];
    const size_t head = size_least((size_t)(-(uintptr_t)first % CPU_WALK_LINE), bytes);
    const size_t end = head + (bytes - head) / CPU_WALK_LINE * CPU_WALK_LINE;
    const size_t threads = strategy->serial ? 1 : pool_threads();
    struct walk walk = {.strategy = strategy,
                        .sources = sources,
                        .targets = targets,
                        .read_count = read_count,
                        .write_count = write_count,
                        .begin = head,
                        .end = end,
                        .unit = end - head >= threads * PART_UNIT ? PART_UNIT : CPU_WALK_LINE,
                        .parts = threads};
    walk_bytes(sources, read_count, targets, write_count, 0, head);
    parallel_for(threads, threads, walk_one, &walk);
    walk_bytes(sources, read_count, targets, write_count, end, bytes);
}

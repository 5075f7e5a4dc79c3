#include "explain/cache/simulator.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "explain/cache/cache_sets.h"

#define STREAMS 32      /* streams that a prefetcher tracks at once */
#define STREAM_REACH 2  /* largest distance, in lines, from a stream's last line to its next */
#define STRIDES 256     /* entries of the stride prefetcher's table */
#define STRIDE_REACH 32 /* longest stride, in lines */
#define STREAM_PAGE 12  /* log2 of the page size: prefetchers do not cross pages of 4 KiB */
#define LARGE_PAGE (2 << 20)
#define RECENT 16    /* misses among which those of one set are looked for */
#define TRAINING 3   /* lines of a new page that come without a prefetch, one after another (measured on Zen 3) */
#define PACE 3.0     /* instructions for each access, until the caller says it */
#define WINDOW 256.0 /* instructions in flight, and lines under way, of a core that is not known */
#define MISSES 20.0

struct thread {
    struct cache_sets levels[2], pages[2], large_pages;
    uint64_t streams[STREAMS]; /* the last line of each stream */
    unsigned next_stream;
    struct {
        uint64_t last;
        int64_t step;
    } strides[STRIDES];            /* indexed by the access's number in the code */
    double position, pace, waited; /* instructions so far, for each access, at the last wait */
    size_t missed[RECENT];         /* sets of the last misses, a ring */
    unsigned next_missed;
    struct cache_traffic traffic;
    struct cache_counts *counts; /* for each access of the code */
};

struct cache_simulator {
    struct cache_geometry geometry;
    size_t sites;
    struct thread *threads[CACHE_THREADS_MOST];
    struct cache_sets last[CACHE_THREADS_MOST]; /* third caches, created on first use */
    pthread_mutex_t lock;                       /* protects the third caches */
    unsigned line_bits;
    uint64_t skip; /* lines that have one of these bits are skipped */
    double weight;
};

/* ---- creation ------------------------------------------------------------------------------------------------- */

struct cache_simulator *cache_simulator_create(const struct cache_geometry *geometry, size_t sites)
{
    struct cache_simulator *simulator = calloc(1, sizeof *simulator);
    if (!simulator)
        return NULL;
    *simulator = (struct cache_simulator){.geometry = *geometry, .sites = sites, .weight = 1};
    pthread_mutex_init(&simulator->lock, NULL);
    while ((1U << simulator->line_bits) < geometry->line)
        simulator->line_bits++;
    return simulator;
}

static void thread_free(struct thread *thread)
{
    for (int i = 0; thread && i < 2; i++) {
        cache_sets_free(&thread->levels[i]);
        cache_sets_free(&thread->pages[i]);
    }
    if (thread) {
        cache_sets_free(&thread->large_pages);
        free(thread->counts);
    }
    free(thread);
}

void cache_simulator_destroy(struct cache_simulator *simulator)
{
    for (int i = 0; simulator && i < CACHE_THREADS_MOST; i++) {
        thread_free(simulator->threads[i]);
        cache_sets_free(&simulator->last[i]);
    }
    free(simulator);
}

static unsigned group_of(const struct cache_simulator *simulator, unsigned thread)
{
    unsigned sharers = simulator->geometry.levels[2].sharers;
    return thread / (sharers ? sharers : 1);
}

static struct thread *thread_make(struct cache_simulator *simulator, unsigned number)
{
    const struct cache_geometry *geometry = &simulator->geometry;
    struct thread *thread = calloc(1, sizeof *thread);
    struct cache_sets *last = &simulator->last[group_of(simulator, number)];
    const struct cache_level *levels = geometry->levels;
    if (thread)
        thread->counts = calloc(simulator->sites + 1, sizeof *thread->counts);
    bool is_made = thread && thread->counts;
    for (int i = 0; is_made && i < 2; i++)
        is_made = (!levels[i].bytes ||
                   cache_sets_make(&thread->levels[i], levels[i].bytes / geometry->line, levels[i].ways, i == 0)) &&
                  cache_sets_make(&thread->pages[i], geometry->pages[i].entries, geometry->pages[i].ways, false);
    if (is_made)
        is_made = cache_sets_make(&thread->large_pages, geometry->pages[0].large_entries, geometry->pages[0].large_ways,
                                  false);
    pthread_mutex_lock(&simulator->lock);
    if (is_made && levels[2].bytes && !last->lines)
        is_made = cache_sets_make(last, levels[2].bytes / geometry->line, levels[2].ways, false);
    last->is_hashed = true;
    pthread_mutex_unlock(&simulator->lock);
    for (int i = 0; is_made && i < STREAMS; i++)
        thread->streams[i] = NO_LINE;
    if (is_made) {
        thread->pace = PACE;
        thread->waited = -WINDOW;
    }
    if (!is_made) {
        thread_free(thread);
        return NULL;
    }
    return simulator->threads[number] = thread;
}

void cache_simulator_sample(struct cache_simulator *simulator, unsigned every)
{
    simulator->skip = every - 1;
    simulator->weight = every;
}

/* ---- lines ---------------------------------------------------------------------------------------------------- */

struct access {
    struct cache_simulator *simulator;
    struct thread *thread;
    struct cache_sets *last;
    struct cache_counts *counts;
    size_t site;
    enum cache_access kind;
};

static bool has_second(const struct access *access)
{
    return access->thread->levels[1].lines != NULL;
}

/* A dirty line evicted from the last level is written to memory. */
static void put_into_last_locked(const struct access *access, uint64_t line)
{
    size_t set;
    struct cache_sets *last = access->last;
    double weight = access->simulator->weight;
    bool is_victim = access->simulator->geometry.levels[2].is_victim, is_dirty = line & DIRTY;
    access->thread->traffic.writes[1] += is_dirty ? weight : 0;
    if (!last->lines) {
        access->thread->traffic.writes[2] += is_dirty ? weight : 0;
        return;
    }
    if (cache_sets_find(last, line & ~DIRTY)) {
        last->lines[cache_sets_of(last, line & ~DIRTY)] |= line & DIRTY;
        return;
    }
    if (!is_dirty && !is_victim)
        return;
    uint64_t out = cache_sets_insert(last, line & ~DIRTY, &set);
    last->lines[set] = line;
    if (out != NO_LINE && (out & DIRTY))
        access->thread->traffic.writes[2] += weight;
}

static void put_into_last(const struct access *access, uint64_t line)
{
    pthread_mutex_lock(&access->simulator->lock);
    put_into_last_locked(access, line);
    pthread_mutex_unlock(&access->simulator->lock);
}

static void put_into_second(const struct access *access, uint64_t line)
{
    size_t set;
    struct cache_sets *second = &access->thread->levels[1];
    bool is_dirty = line & DIRTY;
    if (is_dirty)
        access->thread->traffic.writes[0] += access->simulator->weight;
    if (!has_second(access)) {
        put_into_last(access, line);
        return;
    }
    if (cache_sets_find(second, line & ~DIRTY)) {
        second->lines[cache_sets_of(second, line & ~DIRTY)] |= line & DIRTY;
        return;
    }
    if (!is_dirty)
        return;
    uint64_t out = cache_sets_insert(second, line & ~DIRTY, &set);
    second->lines[set] = line;
    if (out != NO_LINE)
        put_into_last(access, out);
}

/* True if the instruction missed at this stride before, within a page: a stride prefetcher has fetched the line. The
 * prefetcher restarts at each page (*is_at_page). Restarts count once per page, however few of its lines are
 * simulated. */
static bool is_strided(struct thread *thread, size_t site, uint64_t line, unsigned line_bits, bool *is_at_page)
{
    uint64_t *last = &thread->strides[site % STRIDES].last;
    int64_t step = (int64_t)(line - *last), before = thread->strides[site % STRIDES].step;
    bool is_same_page = (line ^ *last) >> (STREAM_PAGE - line_bits) == 0;
    *last = line;
    thread->strides[site % STRIDES].step = step;
    bool is_steady = step == before && step != 0 && step >= -STRIDE_REACH && step <= STRIDE_REACH;
    *is_at_page = is_steady && !is_same_page;
    return is_steady && is_same_page;
}

/* True if the line is one or two lines from another miss of the same page: a stream prefetcher has fetched it. */
static bool is_streamed(struct thread *thread, uint64_t line, unsigned line_bits)
{
    for (int i = 0; i < STREAMS; i++) {
        uint64_t last = thread->streams[i];
        int64_t step = (int64_t)(line - last);
        if (last == NO_LINE || step > STREAM_REACH || step < -STREAM_REACH)
            continue;
        thread->streams[i] = line;
        return (line ^ last) >> (STREAM_PAGE - line_bits) == 0;
    }
    thread->streams[thread->next_stream++ % STREAMS] = line;
    return false;
}

static void count_miss(const struct access *access, int level, bool is_foreseen)
{
    double weight = access->simulator->weight;
    access->counts->misses[level] += weight;
    access->counts->streamed[level] += is_foreseen ? weight : 0;
    access->thread->traffic.fills[level] += weight;
}

/* Whether the last cache had the line. *line may become dirty, as a victim cache returns dirty lines. Otherwise the
 * line comes from memory. */
static bool take_from_last(const struct access *access, uint64_t *line, bool is_foreseen)
{
    size_t set;
    struct cache_sets *last = access->last;
    bool is_victim = access->simulator->geometry.levels[2].is_victim;
    uint64_t found = NO_LINE, name = *line;
    if (last->lines && is_victim)
        found = cache_sets_remove(last, name);
    else if (last->lines && cache_sets_find(last, name))
        found = name;
    if (found != NO_LINE) {
        *line = found;
        return true;
    }
    count_miss(access, 2, is_foreseen);
    uint64_t out = last->lines && !is_victim ? cache_sets_insert(last, name, &set) : NO_LINE;
    if (out != NO_LINE && (out & DIRTY))
        access->thread->traffic.writes[2] += access->simulator->weight;
    return false;
}

/* Returns the level that has the line, CACHE_LEVELS for memory. The line is in the second cache afterwards. */
static int bring(const struct access *access, uint64_t line, bool is_foreseen)
{
    size_t set;
    struct cache_sets *second = &access->thread->levels[1];
    if (has_second(access) && cache_sets_find(second, line))
        return 1;
    count_miss(access, 1, is_foreseen);
    pthread_mutex_lock(&access->simulator->lock);
    uint64_t found = line;
    bool is_there = take_from_last(access, &found, is_foreseen);
    uint64_t out = has_second(access) ? cache_sets_insert(second, line, &set) : NO_LINE;
    if (has_second(access))
        second->lines[set] = found;
    if (out != NO_LINE)
        put_into_last_locked(access, out);
    pthread_mutex_unlock(&access->simulator->lock);
    return is_there ? 2 : CACHE_LEVELS;
}

/* Bytes that a bit of a line's mask stands for. */
static unsigned mask_part(unsigned line)
{
    return line > 64 ? line / 64 : 1;
}

static void give_up(const struct cache_simulator *simulator, const struct thread *thread, size_t entry)
{
    const struct cache_sets *first = &thread->levels[0];
    const unsigned bytes = (unsigned)__builtin_popcountll(first->masks[entry]) * mask_part(simulator->geometry.line);
    thread->counts[first->sites[entry]].used += bytes * simulator->weight;
}

static void bypass(const struct access *access, uint64_t line, unsigned bytes)
{
    cache_sets_remove(&access->thread->levels[0], line);
    if (has_second(access))
        cache_sets_remove(&access->thread->levels[1], line);
    if (access->last->lines) {
        pthread_mutex_lock(&access->simulator->lock);
        cache_sets_remove(access->last, line);
        pthread_mutex_unlock(&access->simulator->lock);
    }
    access->counts->bypassed += bytes * access->simulator->weight;
    access->thread->traffic.bypassed += bytes * access->simulator->weight;
}

/* Misses within the instructions in flight overlap: each stalls the core for its share of the latency (Karkhanis and
 * Smith, "A first-order superscalar processor model", 2004). A sampled miss stands for `weight` of them. */
static void count_wait(const struct access *access, int level, bool is_at_page)
{
    struct thread *thread = access->thread;
    const struct cpu_core *core = access->simulator->geometry.core;
    double weight = is_at_page ? 1 : access->simulator->weight;
    double window = core ? core->window : WINDOW, misses = core ? core->misses : MISSES;
    double at_once = weight * window / fmax(thread->position - thread->waited, 1);
    thread->traffic.waits[level] += weight;
    thread->traffic.stalls[level] += (is_at_page ? TRAINING : weight) / fmin(fmax(at_once, 1), misses);
    thread->waited = thread->position;
}

/* A set takes its new lines one after another. Counts the share of the last misses that were in this set, beyond the
 * share that chance would give it. */
static void count_conflict(const struct access *access, int level, size_t set)
{
    struct thread *thread = access->thread;
    double sets = (double)thread->levels[0].sets / access->simulator->weight, same = 0;
    for (int i = 0; i < RECENT; i++)
        same += thread->missed[i] == set;
    thread->missed[thread->next_missed++ % RECENT] = set;
    if (sets > 1)
        thread->traffic.conflicts[level] += access->simulator->weight * fmax(0, same / RECENT - 1 / sets);
}

/* `mask` has one bit for each byte of a 64-byte line. Longer lines have one bit for each 64th part. */
static void touch_line(const struct access *access, uint64_t line, uint64_t mask)
{
    struct cache_sets *first = &access->thread->levels[0];
    size_t set = cache_sets_of(first, line);
    if (!cache_sets_find(first, line)) {
        unsigned line_bits = access->simulator->line_bits;
        bool is_at_page;
        bool is_foreseen = is_strided(access->thread, access->site, line, line_bits, &is_at_page) ||
                           is_streamed(access->thread, line, line_bits);
        uint64_t lost = first->lines[set + first->ways - 1];
        if (lost != NO_LINE)
            give_up(access->simulator, access->thread, set + first->ways - 1);
        count_miss(access, 0, is_foreseen);
        int from = bring(access, line, is_foreseen);
        if (!is_foreseen && access->kind != CACHE_PREFETCH)
            count_wait(access, from - 1, is_at_page);
        count_conflict(access, from - 1, set);
        cache_sets_insert(first, line, &set);
        first->masks[set] = 0;
        first->sites[set] = (uint32_t)access->site;
        if (lost != NO_LINE)
            put_into_second(access, lost);
    }
    first->masks[set] |= access->kind == CACHE_PREFETCH ? 0 : mask;
    if (access->kind == CACHE_STORE)
        first->lines[set] |= DIRTY;
}

/* ---- accesses ------------------------------------------------------------------------------------------------- */

static void touch_page(const struct access *access, uint64_t address, size_t page_bytes)
{
    struct thread *thread = access->thread;
    bool is_large = page_bytes >= LARGE_PAGE;
    struct cache_sets *first = is_large ? &thread->large_pages : &thread->pages[0];
    uint64_t page = address / page_bytes;
    size_t set;
    if (cache_sets_find(first, page))
        return;
    const double weight = access->simulator->weight;
    const uint64_t name = page | (is_large ? (uint64_t)1 << 62 : 0);
    cache_sets_insert(first, page, &set);
    access->counts->page_misses[0] += weight;
    thread->traffic.page_misses += weight;
    if (cache_sets_find(&thread->pages[1], name))
        return;
    cache_sets_insert(&thread->pages[1], name, &set);
    access->counts->page_misses[1] += weight;
    thread->traffic.page_walks += weight;
}

static uint64_t bytes_mask(unsigned from, unsigned count, unsigned line)
{
    unsigned part = mask_part(line), first = from / part, last = (from + count - 1) / part;
    uint64_t upper = last >= 63 ? ~(uint64_t)0 : ((uint64_t)1 << (last + 1)) - 1;
    return upper & ~(((uint64_t)1 << first) - 1);
}

bool cache_simulator_access(struct cache_simulator *simulator, unsigned thread, size_t site, enum cache_access kind,
                            uint64_t address, unsigned bytes, size_t page_bytes)
{
    unsigned line_bytes = simulator->geometry.line;
    struct access access = {.simulator = simulator, .site = site, .kind = kind};
    if (thread >= CACHE_THREADS_MOST)
        return false;
    access.thread = simulator->threads[thread] ? simulator->threads[thread] : thread_make(simulator, thread);
    if (!access.thread)
        return false;
    access.counts = &access.thread->counts[site];
    access.last = &simulator->last[group_of(simulator, thread)];
    access.thread->position += access.thread->pace;
    access.counts->accesses++;
    access.counts->bytes += bytes;
    for (unsigned left = bytes; left > 0;) {
        unsigned from = (unsigned)(address & (line_bytes - 1)),
                 count = line_bytes - from < left ? line_bytes - from : left;
        uint64_t line = address >> simulator->line_bits;
        if ((line & simulator->skip) == 0) {
            touch_page(&access, address, page_bytes);
            if (kind == CACHE_BYPASS)
                bypass(&access, line, count);
            else
                touch_line(&access, line, bytes_mask(from, count, line_bytes));
        }
        address += count;
        left -= count;
    }
    return true;
}

void cache_simulator_reset(struct cache_simulator *simulator)
{
    for (int i = 0; i < CACHE_THREADS_MOST; i++) {
        struct thread *thread = simulator->threads[i];
        if (!thread)
            continue;
        thread->traffic = (struct cache_traffic){.bypassed = 0};
        memset(thread->counts, 0, simulator->sites * sizeof *thread->counts);
        size_t count = thread->levels[0].sets * thread->levels[0].ways;
        memset(thread->levels[0].masks, 0, count * sizeof *thread->levels[0].masks);
    }
}

void cache_simulator_pass(struct cache_simulator *simulator, unsigned thread, size_t site, unsigned bytes)
{
    struct thread *passing = simulator->threads[thread];
    passing->position += passing->pace;
    passing->counts[site].accesses++;
    passing->counts[site].bytes += bytes;
}

void cache_simulator_pace(struct cache_simulator *simulator, unsigned thread, double instructions)
{
    if (thread < CACHE_THREADS_MOST && simulator->threads[thread])
        simulator->threads[thread]->pace = instructions;
}

struct cache_counts *cache_simulator_counts(struct cache_simulator *simulator, unsigned thread, size_t site)
{
    return simulator->threads[thread] ? &simulator->threads[thread]->counts[site] : NULL;
}

void cache_counts_add(struct cache_counts *sum, const struct cache_counts *counts)
{
    double *into = (double *)sum;
    for (size_t i = 0; i < sizeof *sum / sizeof *into; i++)
        into[i] += ((const double *)counts)[i];
}

void cache_traffic_add(struct cache_traffic *sum, struct cache_traffic *most, const struct cache_traffic *one)
{
    const double *figures = (const double *)one;
    for (size_t i = 0; i < sizeof *one / sizeof *figures; i++) {
        ((double *)sum)[i] += figures[i];
        ((double *)most)[i] = fmax(((double *)most)[i], figures[i]);
    }
}

void cache_simulator_finish(struct cache_simulator *simulator, struct cache_counts *counts)
{
    for (int i = 0; i < CACHE_THREADS_MOST; i++) {
        const struct thread *thread = simulator->threads[i];
        const struct cache_sets *first = thread ? &thread->levels[0] : NULL;
        for (size_t entry = 0; first && entry < first->sets * first->ways; entry++)
            if (first->lines[entry] != NO_LINE)
                give_up(simulator, thread, entry);
        for (size_t site = 0; thread && site < simulator->sites; site++)
            cache_counts_add(&counts[site], &thread->counts[site]);
    }
}

struct cache_traffic cache_simulator_traffic(const struct cache_simulator *simulator, unsigned thread)
{
    const struct thread *one = thread < CACHE_THREADS_MOST ? simulator->threads[thread] : NULL;
    return one ? one->traffic : (struct cache_traffic){.bypassed = 0};
}

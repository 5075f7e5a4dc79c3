#include "explain/cache/recorder.h"

#include <asm/prctl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "explain/cache/thread_area.h"

#define SAMPLE 8               /* one in so many lines, beyond the limit */
#define PLACE_BITS 40          /* of an array's simulated addresses */
#define LINES_MOST ((size_t)64 << 20) /* of an array, for counting different ones */

/* Of one access: different lines and pages of its array. */
struct touched {
    unsigned char *lines, *pages; /* bits */
    uint64_t last;
};

/* One process, one recorder: signal handlers and copied code reach it without an argument. */
static struct {
    const struct recording_request *request;
    struct recording *recording;
    const struct recorder_place *places;
    struct cache_simulator *simulator;
    struct cache_counts *counts;
    struct touched *touched; /* of each access */
    enum cache_access *kinds;
    struct thread_area *areas[CACHE_THREADS_MOST];
    atomic_uint area_count;
    atomic_uint next, serving; /* a queue of threads with full areas */
    bool is_over;
} recorder;

/* ---- one access ----------------------------------------------------------------------------------------------- */

static unsigned place_of(uint64_t address)
{
    for (unsigned i = 0; i < PLACES_MOST; i++)
        if (address - recorder.places[i].start < recorder.places[i].bytes)
            return i;
    return PLACE_OTHER;
}

static bool is_new(unsigned char **bits, size_t count, uint64_t index)
{
    if (!*bits && count <= LINES_MOST)
        *bits = calloc(count / 8 + 1, 1);
    if (!*bits || index >= count || (*bits)[index / 8] >> index % 8 & 1)
        return false;
    (*bits)[index / 8] |= (unsigned char)(1 << index % 8);
    return true;
}

static void count_touched(size_t site, const struct recorder_place *place, uint64_t offset, unsigned bytes)
{
    struct touched *touched = &recorder.touched[site];
    unsigned line_bytes = recorder.request->geometry->line;
    uint64_t first = offset / line_bytes, last = (offset + bytes - 1) / line_bytes;
    if (touched->last == first + 1 && first == last)
        return;
    touched->last = last + 1;
    for (uint64_t line = first; line <= last; line++) {
        uint64_t page = line * line_bytes / place->page_bytes;
        recorder.counts[site].lines += is_new(&touched->lines, place->bytes / line_bytes + 2, line);
        recorder.counts[site].pages += is_new(&touched->pages, place->bytes / place->page_bytes + 2, page);
    }
}

static void take(unsigned thread, const struct area_record *record)
{
    size_t site = record->site;
    unsigned place = place_of(record->address), bytes = recorder.request->copy->accesses[site].operand.bytes;
    uint64_t address = record->address;
    size_t page_bytes = recorder.request->geometry->small_page;
    if (place < PLACES_MOST) {
        uint64_t offset = record->address - recorder.places[place].start;
        page_bytes = recorder.places[place].page_bytes;
        /* the same simulated addresses in every run; arrays lie one line further each, as the system's would not */
        address = ((uint64_t)(place + 1) << PLACE_BITS) + (recorder.places[place].start & (page_bytes - 1)) + offset;
        count_touched(site, &recorder.places[place], offset, bytes);
    }
    if (recorder.kinds[site] != CACHE_PREFETCH)
        recording_places(recorder.recording)[site] = (uint8_t)place;
    cache_simulator_access(recorder.simulator, thread, site, recorder.kinds[site], address, bytes, page_bytes);
}

/* ---- a full area ---------------------------------------------------------------------------------------------- */

/* Threads take turns, so that a shared cache sees them side by side. */
static void enter_queue(void)
{
    unsigned ticket = atomic_fetch_add(&recorder.next, 1);
    while (atomic_load(&recorder.serving) != ticket)
        sched_yield();
}

static void check_limits(void)
{
    struct recording *recording = recorder.recording;
    const struct recording_limits *limits = &recorder.request->limits;
    if (recording->accesses > limits->whole && !recording->is_sampled) {
        recording->is_sampled = true;
        cache_simulator_sample(recorder.simulator, SAMPLE);
    }
    if (recording->accesses > limits->most) {
        recording->is_cut = true;
        recorder_end();
        recording->status = STATUS_OK;
        _exit(0);
    }
}

static unsigned number_of(const struct thread_area *area)
{
    unsigned number = 0;
    while (recorder.areas[number] != area)
        number++;
    return number;
}

static void drain(struct thread_area *area)
{
    unsigned number = number_of(area);
    size_t count = AREA_RECORDS - (size_t)-area->position / sizeof *area->records;
    for (size_t i = 0; i < count && !recorder.is_over; i++)
        take(number, &area->records[i]);
    recorder.recording->accesses += count;
    area->position = -(int64_t)sizeof area->records;
}

static void full(struct thread_area *area)
{
    enter_queue();
    drain(area);
    check_limits();
    atomic_fetch_add(&recorder.serving, 1);
}

static void translate(struct thread_area *area)
{
    area->target = code_copy_translate(recorder.request->copy, area->target);
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

static struct thread_area *make_area(void)
{
    struct thread_area *area = mmap(NULL, sizeof *area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*enter)(struct thread_area *) = full, (*indirect)(struct thread_area *) = translate;
    unsigned number = atomic_fetch_add(&recorder.area_count, 1);
    if (area == MAP_FAILED || number >= CACHE_THREADS_MOST)
        return NULL;
    area->position = -(int64_t)sizeof area->records;
    area->self = (uintptr_t)area;
    area->stack_end = (uintptr_t)area->stack + sizeof area->stack;
    area->state_at = (uintptr_t)area->state;
    memcpy(&area->enter, &enter, sizeof enter);
    memcpy(&area->translate, &indirect, sizeof indirect);
    return recorder.areas[number] = area;
}

/* A thread's first access to %gs, whose base is zero, fails; it is repeated with an area. */
static void give_area(int number, siginfo_t *about, void *context)
{
    unsigned long base = 0;
    (void)about, (void)context;
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    struct thread_area *area = base == 0 ? make_area() : NULL;
    if (!area || syscall(SYS_arch_prctl, ARCH_SET_GS, (unsigned long)(uintptr_t)area) != 0)
        signal(number, SIG_DFL);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static void find_kinds(const struct code_copy *copy)
{
    for (size_t i = 0; i < copy->access_count; i++) {
        const struct x86_operand *operand = &copy->accesses[i].operand;
        recorder.kinds[i] = operand->is_prefetch  ? CACHE_PREFETCH
                            : operand->bypasses   ? CACHE_BYPASS
                            : operand->is_written ? CACHE_STORE
                                                  : CACHE_LOAD;
    }
}

bool recorder_begin(const struct recording_request *request, struct recording *recording,
                    const struct recorder_place places[PLACES_MOST])
{
    struct sigaction action = {.sa_sigaction = give_area, .sa_flags = SA_SIGINFO | SA_NODEFER};
    recorder.request = request;
    recorder.recording = recording;
    recorder.places = places;
    recorder.counts = recording_counts(recording);
    recorder.simulator = cache_simulator_create(request->geometry, recorder.counts, recording->sites);
    recorder.touched = calloc(recording->sites + 1, sizeof *recorder.touched);
    recorder.kinds = calloc(recording->sites + 1, sizeof *recorder.kinds);
    if (!recorder.simulator || !recorder.touched || !recorder.kinds)
        return false;
    find_kinds(request->copy);
    return sigaction(SIGSEGV, &action, NULL) == 0;
}

void recorder_drain(void)
{
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.areas[i]; i++)
        drain(recorder.areas[i]);
}

void recorder_count_from_here(void)
{
    recorder_drain();
    cache_simulator_reset(recorder.simulator);
    recorder.recording->accesses = 0;
    for (size_t i = 0; i < recorder.recording->sites; i++) {
        free(recorder.touched[i].lines);
        free(recorder.touched[i].pages);
        recorder.touched[i] = (struct touched){.lines = NULL};
    }
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.areas[i]; i++)
        memset(recorder.areas[i]->blocks, 0, sizeof recorder.areas[i]->blocks);
}

void recorder_end(void)
{
    struct recording *recording = recorder.recording;
    recorder_drain();
    cache_simulator_finish(recorder.simulator);
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.areas[i]; i++) {
        recording->threads = i + 1;
        recording->traffic[i] = cache_simulator_traffic(recorder.simulator, i);
        memcpy(recording_executed(recording, i), recorder.areas[i]->blocks, recording->blocks * sizeof(uint64_t));
    }
}

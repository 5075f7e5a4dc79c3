#include "explain/cache/recorder.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#include <asm/prctl.h>
#endif

#include "explain/cache/code_lines.h"

#define SAMPLE 8                      /* beyond the limit, one line of this many is simulated */
#define PLACE_BITS 40                 /* bits of an address within an array's simulated range */
#define LINES_MOST ((size_t)64 << 20) /* lines; distinct lines of a larger array are not counted */

/* Distinct lines and pages of an array that one source line touched. */
struct touched {
    unsigned char *_Atomic lines, *_Atomic pages; /* bitmaps */
};

/* One recorder per process: signal handlers and copied code reach it without an argument. */
static struct {
    const struct recording_request *request;
    struct recording *recording;
    const struct recorder_place *places;
    struct cache_simulator *simulator;
    struct touched *touched; /* for each group of accesses and each place */
    enum cache_access *kinds;
    struct thread_area *areas[CACHE_THREADS_MOST];
    struct core_step *steps;
    struct core_sample *samples[CACHE_THREADS_MOST]; /* created on first use */
    atomic_uint area_count;
    atomic_ullong accesses;
    uint64_t skip; /* mask of line-number bits; a line with any of them set is skipped */
} recorder;

/* ---- one access ----------------------------------------------------------------------------------------------- */

static unsigned place_of(size_t site, uint64_t address)
{
    unsigned before = recording_places(recorder.recording)[site];
    if (before < PLACES_MOST && address - recorder.places[before].start < recorder.places[before].bytes)
        return before;
    for (unsigned i = 0; i < PLACES_MOST; i++)
        if (address - recorder.places[i].start < recorder.places[i].bytes)
            return i;
    return PLACE_OTHER;
}

static bool is_new(unsigned char *_Atomic *bits, size_t count, uint64_t index)
{
    unsigned char *there = atomic_load(bits), bit = (unsigned char)(1 << index % 8);
    if (!there && count <= LINES_MOST) {
        unsigned char *made = calloc(count / 8 + 1, 1);
        if (atomic_compare_exchange_strong(bits, &there, made))
            there = made;
        else
            free(made);
    }
    if (!there || index >= count || (there[index / 8] & bit))
        return false;
    return !(__atomic_fetch_or(&there[index / 8], bit, __ATOMIC_RELAXED) & bit);
}

static void count_touched(unsigned thread, size_t site, unsigned place_index, uint64_t offset, unsigned bytes)
{
    const struct recorder_place *place = &recorder.places[place_index];
    struct touched *touched =
        &recorder.touched[recorder.request->copy->accesses[site].group * PLACES_MOST + place_index];
    struct cache_counts *counts = cache_simulator_counts(recorder.simulator, thread, site);
    unsigned line_bytes = recorder.request->geometry->line;
    uint64_t first = offset / line_bytes, last = (offset + bytes - 1) / line_bytes;
    for (uint64_t line = first; counts && line <= last; line++) {
        uint64_t page = line * line_bytes / place->page_bytes;
        if (!is_new(&touched->lines, place->bytes / line_bytes + 2, line))
            continue;
        counts->lines += (double)(recorder.skip + 1);
        counts->pages += is_new(&touched->pages, place->bytes / place->page_bytes + 2, page);
    }
}

/* Beyond the limit, only a sample of the lines is simulated. */
static bool is_skipped(uint64_t address, unsigned bytes)
{
    unsigned line = recorder.request->geometry->line;
    return recorder.skip && (address / line & recorder.skip) && ((address + bytes - 1) / line & recorder.skip);
}

static void take(unsigned thread, const struct area_record *record)
{
    size_t site = record->site;
    uint64_t address = record->address;
    unsigned bytes = recorder.request->copy->accesses[site].operand.bytes;
    size_t page_bytes = recorder.request->geometry->small_page;
    if (is_skipped(address, bytes) && cache_simulator_counts(recorder.simulator, thread, site)) {
        cache_simulator_pass(recorder.simulator, thread, site, bytes);
        return;
    }
    unsigned place = place_of(site, address);
    uint64_t offset = 0;
    if (place < PLACES_MOST) {
        offset = address - recorder.places[place].start;
        page_bytes = recorder.places[place].page_bytes;
        /* simulated addresses are the same in every run */
        address = ((uint64_t)(place + 1) << PLACE_BITS) + (recorder.places[place].start & (page_bytes - 1)) + offset;
    }
    recording_places(recorder.recording)[site] = (uint8_t)place;
    cache_simulator_access(recorder.simulator, thread, site, recorder.kinds[site], address, bytes, page_bytes);
    if (place < PLACES_MOST)
        count_touched(thread, site, place, offset, bytes);
}

/* ---- a full area ---------------------------------------------------------------------------------------------- */

static void check_limits(uint64_t accesses)
{
    struct recording *recording = recorder.recording;
    const struct recording_limits *limits = &recorder.request->limits;
    if (accesses > limits->whole && !recording->is_sampled) {
        recording->is_sampled = true;
        recorder.skip = SAMPLE - 1;
        cache_simulator_sample(recorder.simulator, SAMPLE);
    }
    if (accesses > limits->most && !recording->is_cut) {
        recording->is_cut = true;
        recording->simulated = accesses;
    }
}

static void take_core(struct thread_area *area, size_t count)
{
    const struct cache_geometry *geometry = recorder.request->geometry;
    struct core_sample **sample = &recorder.samples[area->number];
    if (!*sample)
        *sample = core_sample_create(recorder.request->copy, recorder.steps, geometry->core, geometry->core_share);
    if (!*sample)
        return;
    core_sample_take(*sample, area->records, count);
    struct core_total total = core_sample_total(*sample);
    if (total.accesses > 0)
        cache_simulator_pace(recorder.simulator, (unsigned)area->number, total.instructions / total.accesses);
}

static void drain(struct thread_area *area)
{
    size_t count = AREA_RECORDS - (size_t)-area->position / sizeof *area->records;
    take_core(area, count);
    const struct copied_access *accesses = recorder.request->copy->accesses;
    size_t marks = 0;
    for (size_t i = 0; i < count; i++)
        if (accesses[area->records[i].site].is_mark)
            marks++;
        else if (!recorder.recording->is_cut)
            take((unsigned)area->number, &area->records[i]);
    atomic_fetch_add(&recorder.accesses, count - marks);
    area->position = -(int64_t)sizeof area->records;
}

static void full(struct thread_area *area)
{
    drain(area);
    check_limits(atomic_load(&recorder.accesses));
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
    area->number = number;
    area->self = (uintptr_t)area;
    area->stack_end = (uintptr_t)area->stack + sizeof area->stack;
    area->state_at = (uintptr_t)area->state;
    memcpy(&area->enter, &enter, sizeof enter);
    memcpy(&area->translate, &indirect, sizeof indirect);
    return recorder.areas[number] = area;
}

/* The area that this thread's %gs points to; NULL: none. Copied code is that of x86-64 alone. */
static void *thread_area_now(void)
{
    unsigned long base = 0;
#if defined __x86_64__
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
#endif
    return (void *)(uintptr_t)base;
}

static bool set_thread_area_now(struct thread_area *area)
{
#if defined __x86_64__
    return syscall(SYS_arch_prctl, ARCH_SET_GS, (unsigned long)(uintptr_t)area) == 0;
#else
    return area == NULL;
#endif
}

/* A thread's first access through %gs faults, as the base is zero. The handler sets an area, and the access is
 * retried. */
static void give_area(int number, siginfo_t *about, void *context)
{
    (void)about, (void)context;
    struct thread_area *area = thread_area_now() ? NULL : make_area();
    if (!area || !set_thread_area_now(area))
        signal(number, SIG_DFL);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

bool recorder_begin(const struct recording_request *request, struct recording *recording,
                    const struct recorder_place places[PLACES_MOST])
{
    struct sigaction action = {.sa_sigaction = give_area, .sa_flags = SA_SIGINFO | SA_NODEFER};
    recorder.request = request;
    recorder.recording = recording;
    recorder.places = places;
    recorder.simulator = cache_simulator_create(request->geometry, recording->sites);
    recorder.touched = calloc(request->copy->group_count * PLACES_MOST + 1, sizeof *recorder.touched);
    recorder.kinds = calloc(recording->sites + 1, sizeof *recorder.kinds);
    recorder.steps = core_steps_make(request->copy, request->geometry->core);
    if (!recorder.simulator || !recorder.touched || !recorder.kinds || !recorder.steps)
        return false;
    for (size_t i = 0; i < recording->sites; i++)
        recorder.kinds[i] = code_access_kind(&request->copy->accesses[i].operand);
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
    atomic_store(&recorder.accesses, 0);
    recorder.recording->is_cut = false;
    for (size_t i = 0; i < recorder.request->copy->group_count * PLACES_MOST; i++) {
        free(recorder.touched[i].lines);
        free(recorder.touched[i].pages);
        recorder.touched[i].lines = recorder.touched[i].pages = NULL;
    }
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.areas[i]; i++)
        memset(recorder.areas[i]->blocks, 0, sizeof recorder.areas[i]->blocks);
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.samples[i]; i++)
        core_sample_reset(recorder.samples[i]);
}

void recorder_end(void)
{
    struct recording *recording = recorder.recording;
    recorder_drain();
    recording->accesses = atomic_load(&recorder.accesses);
    recording->simulated = recording->is_cut ? recording->simulated : recording->accesses;
    cache_simulator_finish(recorder.simulator, recording_counts(recording));
    for (unsigned i = 0; i < CACHE_THREADS_MOST && recorder.areas[i]; i++) {
        recording->threads = i + 1;
        recording->traffic[i] = cache_simulator_traffic(recorder.simulator, i);
        if (recorder.samples[i])
            recording->core[i] = core_sample_total(recorder.samples[i]);
        memcpy(recording_executed(recording, i), recorder.areas[i]->blocks, recording->blocks * sizeof(uint64_t));
    }
}

/* dlsym(RTLD_NEXT) finds what the program was linked with. It finds nothing in Python, whose extension modules and
 * their libraries are local to themselves: then the loaded objects are asked one by one, in the order in which they
 * were loaded (dl_iterate_phdr; /proc/self/maps has the same, and is not there in every sandbox). */
#include "blas/beneath.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "blas/blas.h"

_Atomic(void *) blas_beneath[BLAS_SLOTS];

/* Marks an object as one of ours, of whatever version: a preloaded one may stand above the Debian alternative. */
#define MARK "uskor_blas_interposes"
BLAS_API const char uskor_blas_interposes = 1;

/* For each family and form. A library that takes 64-bit integers under the names of 32-bit ones stays until another is
 * loaded: its functions are in `wide_beneath`, so that each call looks again. */
static _Atomic(void *) libraries[FAMILY_COUNT][FORM_COUNT];
static atomic_bool are_wide[FAMILY_COUNT][FORM_COUNT];
static _Atomic(void *) wide_beneath[BLAS_SLOTS];
atomic_bool blas_refused[FAMILY_COUNT];
static atomic_ullong searched[BLAS_SLOTS]; /* the number of loads when the slot was last searched for */

/* ---- loaded objects ---------------------------------------------------------------------------------------------- */

#define OBJECTS_MOST 4096

struct objects {
    char **paths;
    size_t count;
    unsigned long long loads;
};

static int count_loads(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

static unsigned long long loads(void)
{
    unsigned long long count = 0;
    dl_iterate_phdr(count_loads, &count);
    return count;
}

/* Nothing is opened here: the loader holds a lock. */
static int note_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct objects *objects = context;
    char *path = info->dlpi_name && info->dlpi_name[0] ? strdup(info->dlpi_name) : NULL;
    if (path && objects->count < OBJECTS_MOST)
        objects->paths[objects->count++] = path;
    else
        free(path);
    return 0;
}

/* ---- one object -------------------------------------------------------------------------------------------------- */

/* The symbol, if this very object defines it, and not one that it was linked with. */
static void *own_symbol(void *library, const char *name)
{
    struct link_map *map = NULL, *of_symbol = NULL;
    Dl_info info;
    void *symbol = dlsym(library, name);
    if (!symbol || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 ||
        !dladdr1(symbol, &info, (void **)&of_symbol, RTLD_DL_LINKMAP))
        return NULL;
    return map == of_symbol ? symbol : NULL;
}

static const char *probe_name(enum blas_family family, enum blas_form form)
{
    return blas_names[BLAS_SLOT(family, form, REAL_DOUBLE, ROUTINE_GEMM)];
}

/* A handle of the object at the path if it has the family's names, and is not one of ours. */
static void *open_object(const char *path, const char *probe)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library && own_symbol(library, probe) && !own_symbol(library, MARK))
        return library;
    if (library)
        dlclose(library);
    return NULL;
}

static void *next_in_program(const char *probe)
{
    Dl_info info;
    void *symbol = dlsym(RTLD_NEXT, probe);
    return symbol && dladdr(symbol, &info) && info.dli_fname ? open_object(info.dli_fname, probe) : NULL;
}

/* ---- 64-bit integers under the names of 32-bit ones ---------------------------------------------------------------
 */

/* A dot product whose count is 1 in the low half of the integer, and negative as a whole: a library of 64-bit integers
 * answers 0. */
static bool takes_wide_integers(void *library, enum blas_family family, enum blas_form form)
{
    static const double one = 1;
    const int64_t count = INT64_MIN | 1, step = 1;
    void *dot = own_symbol(library, blas_names[BLAS_SLOT(family, form, REAL_DOUBLE, ROUTINE_DOT)]);
    if (!dot)
        return false;
    const double answer =
        form == FORM_FORTRAN
            ? ((double (*)(const void *, const double *, const void *, const double *, const void *))dot)(
                  &count, &one, &step, &one, &step)
            : ((double (*)(int64_t, const double *, int64_t, const double *, int64_t))dot)(count, &one, step, &one,
                                                                                           step);
    return answer == 0;
}

/* ---- the first library of a family and form ---------------------------------------------------------------------- */

/* The first library of 32-bit integers, and the first of 64-bit ones: it serves where there is no other. */
struct candidates {
    void *narrow, *wide;
};

static void consider(struct candidates *found, void *library, enum blas_family family, enum blas_form form)
{
    static const int bits[] = {
#define BITS(name, width, ...) [FAMILY_##name] = width,
        BLAS_FAMILIES(BITS)};
    if (!library)
        return;
    if (bits[family] == 32 && takes_wide_integers(library, family, form))
        found->wide = found->wide ? found->wide : library;
    else
        found->narrow = library;
}

static struct candidates search(enum blas_family family, enum blas_form form)
{
    const char *probe = probe_name(family, form);
    struct objects objects = {.paths = calloc(OBJECTS_MOST, sizeof *objects.paths)};
    struct candidates found = {0};
    consider(&found, next_in_program(probe), family, form);
    if (objects.paths && !found.narrow)
        dl_iterate_phdr(note_object, &objects);
    for (size_t i = 0; i < objects.count; i++) {
        if (!found.narrow)
            consider(&found, open_object(objects.paths[i], probe), family, form);
        free(objects.paths[i]);
    }
    free(objects.paths);
    return found;
}

static const char *path_of(void *library)
{
    struct link_map *map = NULL;
    return library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] ? map->l_name : "-";
}

static void report_wide(const struct candidates *found, enum blas_family family)
{
    static atomic_bool are_reported[2]; /* alone, and beside one of 32 bits */
    if (!found->wide || atomic_exchange(&are_reported[found->narrow != NULL], true))
        return;
    fprintf(stderr, "uskor-blas: %s takes 64-bit integers under the names of 32-bit ones (%s): ", path_of(found->wide),
            probe_name(family, FORM_FORTRAN));
    if (found->narrow)
        fprintf(stderr, "all calls go to %s, whose integers are below 2^31\n", path_of(found->narrow));
    else
        fprintf(stderr, "its calls are passed on\n");
}

/* ---- which kernels an OpenBLAS has chosen ----------------------------------------------------------------------- */

static atomic_bool has_avx512;

/* The core whose kernels it runs; NULL: it is no OpenBLAS. */
static const char *core_of_openblas(void *library)
{
    static const char *const names[] = {"openblas_get_corename", "openblas_get_corename64_",
                                        "scipy_openblas_get_corename", "scipy_openblas_get_corename64_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *name_core = own_symbol(library, names[i]);
        if (name_core)
            return ((const char *(*)(void))name_core)();
    }
    return NULL;
}

static bool runs_avx512(void *library)
{
    static const char *const cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    const char *core = core_of_openblas(library);
    for (size_t i = 0; core && i < sizeof cores / sizeof *cores; i++)
        if (strcasecmp(core, cores[i]) == 0)
            return true;
    return false;
}

bool blas_has_avx512(void)
{
    return atomic_load(&has_avx512);
}

/* ---- the library of a family, and a function ----------------------------------------------------------------------
 */

/* Several threads may search at once: they find the same. */
static void *library_of(enum blas_family family, enum blas_form form)
{
    void *library = atomic_load(&libraries[family][form]);
    if (library && !atomic_load(&are_wide[family][form]))
        return library;
    const struct candidates found = search(family, form);
    library = found.narrow ? found.narrow : found.wide;
    atomic_store(&are_wide[family][form], library && !found.narrow);
    atomic_store(&blas_refused[family],
                 atomic_load(&are_wide[family][FORM_FORTRAN]) || atomic_load(&are_wide[family][FORM_CBLAS]));
    report_wide(&found, family);
    if (library && runs_avx512(library))
        atomic_store(&has_avx512, true);
    if (library)
        atomic_store(&libraries[family][form], library);
    return library;
}

/* OpenBLAS up to 0.3.34, where it chooses its kernels at run time, calls a wrong address in a batch of small products:
 * each product is passed on alone. */
static bool has_wrong_batches(void *library, size_t slot)
{
    const bool is_batch = blas_routine(slot) == ROUTINE_GEMM_BATCH || blas_routine(slot) == ROUTINE_GEMM_BATCH_STRIDED;
    return is_batch && !blas_is_refused(blas_family(slot)) && core_of_openblas(library);
}

void *blas_find(size_t slot)
{
    void *found = blas_beneath_of(slot);
    if (blas_next(slot) || atomic_load(&searched[slot]) == loads())
        return found;
    void *library = library_of(blas_family(slot), blas_form(slot));
    found = library && !has_wrong_batches(library, slot) ? own_symbol(library, blas_names[slot]) : NULL;
    atomic_store(&searched[slot], loads()); /* in a namespace of dlmopen's the search itself may load objects */
    if (library && atomic_load(&are_wide[blas_family(slot)][blas_form(slot)])) {
        atomic_store(&wide_beneath[slot], found);
        return found;
    }
    atomic_store(&wide_beneath[slot], NULL);
    if (found)
        atomic_store(&blas_beneath[slot], found);
    return found;
}

void *blas_beneath_of(size_t slot)
{
    void *found = blas_next(slot);
    return found ? found : atomic_load(&wide_beneath[slot]);
}

const char *blas_where(size_t slot)
{
    if (!blas_beneath_of(slot))
        return "-";
    const char *path = path_of(atomic_load(&libraries[blas_family(slot)][blas_form(slot)]));
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

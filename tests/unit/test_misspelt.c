/* Each name of each list is proposed where its last two letters are exchanged: the first name as well as the last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "architectures/caches.h"
#include "backends/backend.h"
#include "exercises/exercise.h"
#include "explain/effects/effects.h"
#include "explain/target.h"
#include "kernels/kernel.h"
#include "publications/publication.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct error error;

/* With its last two letters exchanged; NULL where they are equal, and for a name of two. */
static const char *misspelt(const char *name)
{
    static char other[128];
    const size_t length = strlen(name);
    snprintf(other, sizeof other, "%s", name);
    other[length - 1] = name[length - 2];
    other[length - 2] = name[length - 1];
    return length > 2 && strcmp(other, name) != 0 ? other : NULL;
}

static size_t proposed;

static void expect_proposal(const char *name)
{
    char words[160];
    snprintf(words, sizeof words, "did you mean '%s'?", name);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say: %s", error.text, words);
    proposed++;
}

static void kernels_and_rungs(void **state)
{
    (void)state;
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs;
        size_t count = 0;
        assert_null(kernel_by_name(misspelt(kernels[k]->name), &error));
        expect_proposal(kernels[k]->name);
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, &error), STATUS_OK);
        for (size_t r = 0; r < count; r++)
            if (misspelt(rungs[r]->name)) {
                assert_null(rung_by_name(kernels[k], misspelt(rungs[r]->name), &error));
                expect_proposal(rungs[r]->name);
            }
    }
    assert_true(proposed > 60);
}

static void exercises_and_effects(void **state)
{
    (void)state;
    assert_true(exercise_count > 5 && effects[5]);
    for (size_t i = 0; i < exercise_count; i++) {
        assert_null(exercise_by_name(misspelt(exercises[i].name), &error));
        expect_proposal(exercises[i].name);
    }
    for (size_t i = 0; effects[i]; i++) {
        assert_null(effect_by_name(misspelt(effects[i]->name), &error));
        expect_proposal(effects[i]->name);
    }
}

static void publications(void **state)
{
    (void)state;
    struct publication publication;
    assert_non_null(publication_names[0]);
    for (size_t i = 0; publication_names[i]; i++) {
        assert_int_equal(publication_open(misspelt(publication_names[i]), &publication, &error), STATUS_INVALID);
        expect_proposal(publication_names[i]);
    }
}

static void processors(void **state)
{
    (void)state;
    struct explain_target target;
    assert_true(gpu_count > 5 && cpu_caches_count > 1);
    for (size_t i = 0; i < gpu_count; i++)
        if (misspelt(gpus[i].name)) {
            assert_int_equal(explain_target_parse(misspelt(gpus[i].name), &target, &error), STATUS_INVALID);
            expect_proposal(gpus[i].name);
        }
    for (size_t i = 0; i < cpu_caches_count; i++) {
        assert_int_equal(explain_target_parse(misspelt(cpu_caches[i].name), &target, &error), STATUS_INVALID);
        expect_proposal(cpu_caches[i].name);
    }
}

static void kinds_of_memory(void **state)
{
    (void)state;
    for (int k = 0; k < MEMORY_KIND_COUNT; k++) {
        enum memory_kind kind;
        const char *name = memory_kind_name((enum memory_kind)k);
        assert_int_equal(memory_kind_parse(misspelt(name), &kind, &error), STATUS_INVALID);
        expect_proposal(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_and_rungs), cmocka_unit_test(exercises_and_effects), cmocka_unit_test(publications),
        cmocka_unit_test(processors),        cmocka_unit_test(kinds_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

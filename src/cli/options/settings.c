#include "cli/options/settings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/hang_guard.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"

static bool is_instruction_set(const char *value)
{
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++)
        if (strcmp(value, cpu_isa_name((enum cpu_isa)isa)) == 0)
            return true;
    return false;
}

static bool is_seconds(const char *value)
{
    double seconds;
    return text_real(value, &seconds) && seconds > 0 && seconds < 1e6;
}

static bool is_off(const char *value)
{
    return strcmp(value, "off") == 0;
}

static bool is_none(const char *value)
{
    return strcmp(value, "none") == 0;
}

enum status settings_check(struct error *error)
{
    static const struct {
        const char *name;
        bool (*suits)(const char *value);
        const char *taken;
    } settings[] = {
        {"USKOR_CACHE", is_off, N_("'off'")},
        {"USKOR_CANARIES", is_none, N_("'none'")},
        {"USKOR_DRIVER_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_RANKS_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_ISA", is_instruction_set, N_("'base', 'avx2', 'avx512' or 'neon'")},
    };
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        const char *value = getenv(settings[i].name);
        if (value && *value && !settings[i].suits(value))
            return fail(error, STATUS_INVALID, "the environment has %s='%s'; it takes %s, or is not set",
                        settings[i].name, value, settings[i].taken);
    }
    if (getenv("USKOR_RANKS_SECONDS"))
        hang_guard_ranks(strtod(getenv("USKOR_RANKS_SECONDS"), NULL));
    return STATUS_OK;
}

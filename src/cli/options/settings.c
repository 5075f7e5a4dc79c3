#include "cli/options/settings.h"

#include <stdbool.h>
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
            return cpu_isa_has((enum cpu_isa)isa);
    return false;
}

/* Those that this processor has, each in quotes. */
static const char *instruction_sets(char text[64])
{
    text[0] = '\0';
    for (int isa = CPU_ISA_BASE; isa <= CPU_ISA_NEON; isa++)
        if (cpu_isa_has((enum cpu_isa)isa))
            text_append(text, 64, "%s'%s'", text[0] ? ", " : "", cpu_isa_name((enum cpu_isa)isa));
    return text;
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
    char sets[64];
    const struct {
        const char *name;
        bool (*suits)(const char *value);
        const char *taken;
    } settings[] = {
        {"USKOR_CACHE", is_off, N_("'off'")},
        {"USKOR_CANARIES", is_none, N_("'none'")},
        {"USKOR_DRIVER_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_PROGRESS_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_RANKS_SECONDS", is_seconds, N_("a number of seconds above 0")},
        {"USKOR_ISA", is_instruction_set, instruction_sets(sets)},
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

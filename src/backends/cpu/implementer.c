/* Who designed an ARM core: the register MIDR_EL1's field Implementer, which Linux shows as a number. The list is
 * Arm's, in the Architecture Reference Manual, and util-linux's (its lscpu) for those that the manual
 * leaves out. */
#include <stdlib.h>

#include "backends/cpu/machine.h"
#include "base/size.h"

const char *cpu_implementer(const char *code)
{
    static const struct {
        unsigned long number;
        const char *name;
    } implementers[] = {
        {0x41, "ARM"},       {0x42, "Broadcom"},  {0x43, "Cavium"},   {0x44, "DEC"},    {0x46, "Fujitsu"},
        {0x48, "HiSilicon"}, {0x49, "Infineon"},  {0x4d, "Motorola"}, {0x4e, "NVIDIA"}, {0x50, "APM"},
        {0x51, "Qualcomm"},  {0x53, "Samsung"},   {0x56, "Marvell"},  {0x61, "Apple"},  {0x66, "Faraday"},
        {0x69, "Intel"},     {0x6d, "Microsoft"}, {0x70, "Phytium"},  {0xc0, "Ampere"},
    };
    char *end;
    const unsigned long number = strtoul(code, &end, 0);
    for (size_t i = 0; *end == '\0' && i < COUNT_OF(implementers); i++)
        if (implementers[i].number == number)
            return implementers[i].name;
    return code;
}

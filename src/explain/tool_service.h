/* What a process inside the walls asks for when it explains or traces a stranger's kernel: compilers, a disassembler, a
 * reader of debug information. */
#pragma once

#include "walls/service.h"

extern const struct service explain_services[];

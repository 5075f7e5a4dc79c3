/* Whether the code of this processor can be decoded: x86-64's by Zydis, which a portable program opens when it is
 * needed (USKOR_ZYDIS_FILE: its name), where the system that made the program had no archive of it. */
#pragma once

#include "base/status.h"

/* To be called before anything of compiled/x86.h. STATUS_UNAVAILABLE with the reason: what to install, or that no other
 * processor's code is read. */
enum status decoder_open(struct error *error);

/* Lines that never pass the terminal's edge: what is written to a folded stream goes on in the next line, indented,
 * where a line would be too long. Lines break between words; a word that is longer than a line, behind a '/' or a ','.
 */
#pragma once

#include "report/terminal/report.h"

/* A stream whose lines go to `stream`, folded where the style says so. fclose() ends it, and not `stream`, which also
 * has its errors. Never NULL: it is `stream` itself where nothing is folded or memory is out; folded_end() knows. */
FILE *folded_begin(FILE *stream, struct style style);
void folded_end(FILE *folded, FILE *stream);

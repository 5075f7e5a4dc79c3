/* The rungs' sources in the report: a link from a rung's row, and a chapter with the files. */
#pragma once

#include <stdio.h>

#include "base/embedded.h"
#include "report/html/page.h"
#include "report/model/view.h"

/* Who finds the file of a rung (NULL: there is none). Without it there are no links. */
void sources_from(const struct embedded_file *(*find)(const char *kernel, const char *rung));

/* The rung's name, with a link to its source where there is one. */
void source_link(FILE *stream, const char *kernel, const char *rung);

/* The files of all rungs of the views, each once, folded. */
void sources_write(struct page *page, const struct view *views, size_t count);

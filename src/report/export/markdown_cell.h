/* A cell of a Markdown table. */
#pragma once

#include <stdio.h>

/* Writes "| text ", so that the text ends no cell and no row. */
void markdown_cell(FILE *stream, const char *text);

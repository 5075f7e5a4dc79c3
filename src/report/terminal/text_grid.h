/* Columns of text for a terminal: as wide as what is in them, in as many blocks as the terminal's width asks for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/terminal/report.h"

#define GRID_CELL_BYTES 128

struct text_grid {
    size_t rows, columns;
    size_t labels;                  /* columns that every block begins with: 1, if not set otherwise */
    char (*cells)[GRID_CELL_BYTES]; /* row by row; the first column is the rows' labels */
};

/* All cells empty; false when memory is out. */
bool text_grid_make(struct text_grid *grid, size_t rows, size_t columns);
void text_grid_free(struct text_grid *grid);

/* A cell, to be written into (GRID_CELL_BYTES). */
char *text_grid_cell(const struct text_grid *grid, size_t row, size_t column);

/* Columns of the terminal that one block of it takes, without an indent. */
int text_grid_width(const struct text_grid *grid);

/* Prints it, indented by `indent`: the first column to the left, all else to the right. Columns that do not fit the
 * width follow in further blocks, with the labels again. The first `heads` rows are printed strong; a bar stands before
 * the column `bar_before` (0: none). */
void text_grid_print(FILE *stream, const struct text_grid *grid, size_t heads, size_t bar_before, int indent,
                     struct style style);

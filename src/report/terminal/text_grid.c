#include "report/terminal/text_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "report/terminal/cells.h"

bool text_grid_make(struct text_grid *grid, size_t rows, size_t columns)
{
    size_t cells;
    *grid = (struct text_grid){.rows = rows, .columns = columns, .labels = 1};
    if (!size_multiply(rows, columns, &cells))
        return false;
    grid->cells = calloc(cells ? cells : 1, sizeof *grid->cells);
    return grid->cells != NULL;
}

void text_grid_free(struct text_grid *grid)
{
    free(grid->cells);
    *grid = (struct text_grid){0};
}

char *text_grid_cell(const struct text_grid *grid, size_t row, size_t column)
{
    return grid->cells[row * grid->columns + column];
}

static int widest(const struct text_grid *grid, size_t column)
{
    int width = 0;
    for (size_t r = 0; r < grid->rows; r++) {
        int columns = column_width(text_grid_cell(grid, r, column));
        width = columns > width ? columns : width;
    }
    return width;
}

/* Appends a text in its width to a line. */
static void append_cell(char *line, size_t size, const char *text, int width, bool right)
{
    int padding = width - column_width(text);
    text_append(line, size, "%*s%s%*s", right ? padding : 0, "", text, right ? 0 : padding, "");
}

/* One row of the block of columns from `first` to `end`. The uppermost row names groups of columns: each name once. */
static void print_row(FILE *stream, const struct text_grid *grid, size_t row, size_t first, size_t end,
                      size_t bar_before, int indent)
{
    char line[8 * 1024];
    bool names_groups = bar_before > 0 && row == 0;
    snprintf(line, sizeof line, "%*s", indent, "");
    append_cell(line, sizeof line, text_grid_cell(grid, row, 0), widest(grid, 0), false);
    for (size_t c = 1; c < grid->labels; c++) {
        text_append(line, sizeof line, "  ");
        append_cell(line, sizeof line, text_grid_cell(grid, row, c), widest(grid, c), true);
    }
    for (size_t c = first; c < end; c++) {
        const char *text = text_grid_cell(grid, row, c);
        bool is_again = names_groups && c > first && c != bar_before;
        text_append(line, sizeof line, "%s", c == bar_before ? " │ " : "  ");
        append_cell(line, sizeof line, is_again ? "" : text, widest(grid, c), !names_groups);
    }
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ')
        length--;
    (void)fwrite(line, 1, length, stream);
}

int text_grid_width(const struct text_grid *grid)
{
    int width = widest(grid, 0);
    for (size_t c = 1; c < grid->columns; c++)
        width += 2 + widest(grid, c);
    return width;
}

void text_grid_print(FILE *stream, const struct text_grid *grid, size_t heads, size_t bar_before, int indent,
                     struct style style)
{
    size_t first = grid->labels;
    int labels = indent + widest(grid, 0);
    for (size_t c = 1; c < grid->labels; c++)
        labels += 2 + widest(grid, c);
    do {
        int width = labels;
        size_t end = first;
        for (int next; end < grid->columns; end++, width = next) {
            next = width + (end == bar_before ? 3 : 2) + widest(grid, end);
            if (end > first && next > style.width)
                break;
        }
        for (size_t r = 0; r < grid->rows; r++) {
            const char *strong = style.colour && r < heads ? "\033[1m" : "", *plain = *strong ? "\033[0m" : "";
            fputs(strong, stream);
            print_row(stream, grid, r, first, end, bar_before, indent);
            fprintf(stream, "%s\n", plain);
        }
        first = end;
        if (first < grid->columns)
            fputc('\n', stream);
    } while (first < grid->columns);
}

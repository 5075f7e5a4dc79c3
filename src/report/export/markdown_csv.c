#include "report/export/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define COLUMNS_MOST 64
#define SHORT 6 /* letters of a number that stays as it is */

/* A CSV file in memory, its fields ended by zeros. */
struct sheet {
    const char **fields; /* row by row; the first row is the columns' names */
    size_t rows, columns;
};

static bool read_sheet(char *text, struct sheet *sheet)
{
    size_t most = 1, count = 0;
    for (const char *at = text; *at; at++)
        most += *at == ',' || *at == '\n';
    sheet->fields = malloc(most * sizeof *sheet->fields);
    for (char *at = text; sheet->fields && *at;)
        if (csv_cut(&at, &sheet->fields[count++]) != ',' && !sheet->columns)
            sheet->columns = count;
    sheet->rows = sheet->columns ? count / sheet->columns : 0;
    return sheet->fields && sheet->columns <= COLUMNS_MOST;
}

static const char *field_of(const struct sheet *sheet, size_t row, size_t column)
{
    return sheet->fields[row * sheet->columns + column];
}

/* Whether all rows have one text there. */
static bool is_constant(const struct sheet *sheet, size_t column)
{
    for (size_t row = 2; row < sheet->rows; row++)
        if (strcmp(field_of(sheet, row, column), field_of(sheet, 1, column)) != 0)
            return false;
    return true;
}

static void write_field(FILE *stream, const char *text)
{
    double value;
    char rounded[32];
    if (strlen(text) > SHORT && strpbrk(text, ".e") && text_real(text, &value)) {
        snprintf(rounded, sizeof rounded, "%.4g", value);
        text = rounded;
    }
    markdown_cell(stream, text);
}

/* Names what all rows share, and marks the columns of the table; returns their number. */
static size_t choose_columns(FILE *stream, const struct sheet *sheet, bool *is_shown)
{
    size_t shown = 0, named = 0;
    for (size_t column = 0; column < sheet->columns; column++) {
        const bool is_shared = sheet->rows > 1 && is_constant(sheet, column);
        is_shown[column] = !is_shared || (sheet->rows == 2 && *field_of(sheet, 1, column));
        shown += is_shown[column];
        if (!is_shown[column] && *field_of(sheet, 1, column))
            fprintf(stream, "%s%s: %s", named++ ? " · " : "", field_of(sheet, 0, column), field_of(sheet, 1, column));
    }
    fputs(named ? "\n\n" : "", stream);
    return shown;
}

static void write_table(FILE *stream, const struct sheet *sheet)
{
    bool is_shown[COLUMNS_MOST];
    const size_t shown = choose_columns(stream, sheet, is_shown);
    for (size_t row = 0; row < sheet->rows; row++) {
        for (size_t column = 0; column < sheet->columns; column++)
            if (is_shown[column])
                write_field(stream, field_of(sheet, row, column));
        fputs("|\n", stream);
        for (size_t i = 0; row == 0 && i < shown; i++)
            fputs(i + 1 < shown ? "|---" : "|---|\n", stream);
    }
}

bool markdown_of_csv(FILE *stream, bool (*write)(FILE *, const void *), const void *context)
{
    char *text = NULL;
    size_t size = 0;
    struct sheet sheet = {.columns = 0};
    FILE *memory = open_memstream(&text, &size);
    bool written = memory && write(memory, context);
    if (memory && fclose(memory) != 0)
        written = false;
    if (written && (written = read_sheet(text, &sheet)))
        write_table(stream, &sheet);
    free(sheet.fields);
    free(text);
    return written && fflush(stream) == 0 && !ferror(stream);
}

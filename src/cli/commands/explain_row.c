#include "cli/commands/explain_show.h"

#include "report/terminal/cells.h"

void explain_row(FILE *stream, const char *label, const char *text)
{
    fputs("  ", stream);
    column_left(stream, label, EXPLAIN_INDENT - 3);
    fputc(' ', stream);
    columns_wrapped(stream, text, EXPLAIN_INDENT, EXPLAIN_INDENT, EXPLAIN_WIDTH);
}

#include "cli/options/outcome.h"
#include "cli/options/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/mpi_launcher.h"
#include "base/output_reader.h"
#include "base/visible.h"

int exit_code_for(enum status status)
{
    static const int codes[] = {
        [STATUS_OK] = EXIT_DONE,     [STATUS_FAILED] = EXIT_WRONG,
        [STATUS_INVALID] = EXIT_USE, [STATUS_UNAVAILABLE] = EXIT_NOTHING,
        [STATUS_SYSTEM] = EXIT_USE,  [STATUS_INTERRUPTED] = EXIT_INTERRUPT,
    };
    return codes[status];
}

void tell(const char *who, const char *message)
{
    char line[2048];
    /* One line, whatever a file's name holds; and nothing that a terminal would obey. */
    visible_copy(say_message(message), line, sizeof line);
    fprintf(stderr, "%s: %s\n", who, line);
}

void tell_lines(const char *who, const char *message)
{
    static const char end[] = "\\x0a";
    const char *line = say_message(message);
    fprintf(stderr, "%s: ", who);
    while (*line) {
        const char *found = strstr(line, end);
        int length = found ? (int)(found - line) : (int)strlen(line);
        fprintf(stderr, "%.*s\n", length, line);
        line += (size_t)length + (found ? strlen(end) : 0);
    }
}

int report_error(enum status status, const struct error *error)
{
    if (!output_reader_is_gone()) /* what fails then is the output that nobody reads */
        tell("uskor", error->text);
    return exit_code_for(status);
}

void report_warning(const char *format, ...)
{
    struct error line;
    va_list arguments;
    va_start(arguments, format);
    explain_from(line.text, sizeof line.text, format, arguments);
    va_end(arguments);
    report_error(STATUS_OK, &line);
}

int report_error_of_ranks(enum status status, const struct error *error)
{
    if (mpi_launcher_is_first())
        return report_error(status, error);
    clock_sleep(1000000000);
    return exit_code_for(status);
}

int said_all(int code)
{
    struct error error;
    const bool is_said = fflush(stdout) == 0 && !ferror(stdout);
    if (output_reader_is_gone())
        output_reader_follow();
    if (is_said || code != EXIT_DONE)
        return code;
    return report_error(fail(&error, STATUS_SYSTEM, "standard output: cannot write: %s", result_reason(stdout)),
                        &error);
}

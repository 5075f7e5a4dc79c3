/* The words about a child that ended. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/child_link.h"
#include "base/fatal_signal.h"
#include "base/fault_place.h"

/* The line in which a sanitizer names its finding; the lines after its long report name nothing. NULL: there is none.
 */
static const char *find_summary(const char *text)
{
    const char *found = strstr(text, "SUMMARY: ");
    return found ? found : strstr(text, "runtime error: ");
}

/* A sanitizer's summary or else the last line that it printed, as a terminal may show it; "" where there is none. */
static void last_words(const struct child_process *child, char *words, size_t size)
{
    const char *text = child->printed, *end = text + child->printed_bytes;
    const char *summary = find_summary(text);
    if (summary)
        end = summary + strcspn(summary, "\n");
    while (end > text && end[-1] == '\n')
        end--;
    const char *begin = end;
    while (begin > text && begin[-1] != '\n')
        begin--;
    size_t length = 0;
    for (; begin < end && length + 1 < size; begin++)
        words[length++] = (unsigned char)*begin >= ' ' && (unsigned char)*begin < 127 ? *begin : '?';
    words[length] = 0;
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT ||
           number == SIGTRAP;
}

static void describe_signal(const struct under_way *left, int number, struct error *why)
{
    char name[32], address[32], place[160];
    signal_name(number, name, sizeof name);
    snprintf(address, sizeof address, "0x%lx", (unsigned long)left->address);
    if (number == SIGKILL)
        fail(why, STATUS_FAILED, "was ended by SIGKILL, as the system does when memory is out");
    else if (number == SIGSYS)
        fail(why, STATUS_FAILED,
             "made a system call that no kernel needs: to reach another process, start one, change files, the machine "
             "or its own settings (SIGSYS)");
    else if (number == SIGXFSZ)
        fail(why, STATUS_FAILED, "wrote more into a file than it may (SIGXFSZ)");
    else if (!is_crash(number))
        fail(why, STATUS_FAILED, "was ended by %s", name);
    else if (atomic_load(&left->signal) == number && left->place[0])
        fail(why, STATUS_FAILED, "crashed with %s: %.150s", name,
             fault_place_message(left->place, place, sizeof place));
    else if (atomic_load(&left->signal) == number && left->is_null)
        fail(why, STATUS_FAILED, "crashed with %s at the address %s: a null pointer", name, address);
    else if (atomic_load(&left->signal) == number && left->address)
        fail(why, STATUS_FAILED, "crashed with %s at the address %s", name, address);
    else
        fail(why, STATUS_FAILED, "crashed with %s", name);
}

enum child_event child_describe_end(const struct child_process *child, int status, struct error *why)
{
    char words[160];
    enum child_event event = CHILD_LEFT;
    if (WIFSIGNALED(status)) {
        describe_signal(child->under_way, WTERMSIG(status), why);
        event = is_crash(WTERMSIG(status)) ? CHILD_CRASHED : CHILD_LEFT;
    } else if (atomic_load(&child->under_way->channel_lost)) {
        fail(why, STATUS_FAILED, "closed files that are not its own");
    } else {
        fail(why, STATUS_FAILED, "ended the process with exit code %d", WEXITSTATUS(status));
    }
    last_words(child, words, sizeof words);
    if (words[0]) {
        struct error before = *why;
        fail(why, STATUS_FAILED, "%.300s; its last words: %s", before.text, words);
    }
    return event;
}

#include "walls/sayings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"

#define PIECE ((size_t)4096)
#define MOST ((size_t)64 << 20)
#define LETTER_MOST 8 /* bytes of an escape */

static struct {
    FILE *stream;
    char *text;
    size_t bytes;
} own[2];

void sayings_begin(void)
{
    FILE **const streams[] = {&stdout, &stderr};
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    fflush(NULL);
    for (int i = 0; i < 3; i++)
        if (nowhere < 0 || dup2(nowhere, i) < 0)
            close(i);
    for (int i = 0; i < 2; i++)
        if ((own[i].stream = open_memstream(&own[i].text, &own[i].bytes)))
            *streams[i] = own[i].stream;
}

void sayings_send(struct child_link *above)
{
    for (uint32_t i = 0; i < 2; i++) {
        if (!own[i].stream || fflush(own[i].stream) != 0)
            continue;
        for (size_t at = 0; at < own[i].bytes; at += PIECE)
            child_send(above, SAYINGS_TYPE + i, own[i].text + at,
                       own[i].bytes - at < PIECE ? own[i].bytes - at : PIECE);
    }
}

bool sayings_take(struct sayings *sayings, const struct child_message *message)
{
    const uint32_t which = message->type - SAYINGS_TYPE;
    if (which > 1 || message->bytes > PIECE || sayings->bytes[which] + message->bytes > MOST)
        return false;
    char *longer = realloc(sayings->text[which], sayings->bytes[which] + message->bytes + 1);
    if (!longer)
        return false;
    sayings->text[which] = longer;
    if (message->bytes)
        memcpy(longer + sayings->bytes[which], message->data, message->bytes);
    sayings->bytes[which] += message->bytes;
    longer[sayings->bytes[which]] = '\0';
    return true;
}

/* Bytes of a change of colour, "\033[1;32m"; 0 where there is none. */
static size_t colour_length(const char *text)
{
    const size_t numbers = strncmp(text, "\033[", 2) == 0 ? strspn(text + 2, "0123456789;") : 0;
    return strncmp(text, "\033[", 2) == 0 && text[2 + numbers] == 'm' ? numbers + 3 : 0;
}

static void show(const char *text, FILE *stream)
{
    uint32_t letter;
    for (size_t length; *text; text += length) {
        char one[LETTER_MOST] = "", shown[4 * LETTER_MOST];
        length = *text == '\n' || *text == '\t' ? 1 : colour_length(text);
        if (length) {
            fwrite(text, 1, length, stream);
            continue;
        }
        length = visible_letter((const unsigned char *)text, &letter);
        length = length ? length : 1;
        memcpy(one, text, length);
        visible_copy(one, shown, sizeof shown);
        fputs(shown, stream);
    }
}

void sayings_show(struct sayings *sayings)
{
    FILE *const streams[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        if (sayings->text[i])
            show(sayings->text[i], streams[i]);
        free(sayings->text[i]);
    }
    *sayings = (struct sayings){0};
}

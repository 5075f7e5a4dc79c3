/* The topics of `uskor help` besides the commands: how figures are counted, how problems are written. */
#pragma once

#include <stddef.h>

struct help_topic {
    const char *name, *summary;
    const char *text; /* paragraphs, parted by an empty line; examples begin with a space (cli/options/help.h) */
};

extern const struct help_topic help_topics[];
extern const size_t help_topic_count;

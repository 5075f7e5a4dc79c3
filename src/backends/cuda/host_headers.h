/* Headers of the host in a user's CUDA file, which NVRTC has none of. The text asks for them by including
 * CUDA_HOST_WORDS first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CUDA_HOST_WORDS "backends/cuda/host_words.cuh"
#define CUDA_EMPTY_HEADERS 48
#define CUDA_HEADER_NAME 96

/* Whether the text asks for them. */
bool cuda_wants_host_words(const char *text);

/* The names that the text includes and that are to be empty: the host's, and those that neither this program nor
 * `folder`, the toolkit's headers ("": none), has. Returns their number. */
size_t cuda_empty_headers(const char *text, const char *folder, char names[CUDA_EMPTY_HEADERS][CUDA_HEADER_NAME]);

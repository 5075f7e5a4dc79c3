/* SHA-256 (FIPS 180-4), as a page's content security policy needs it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_BASE64_BYTES 45 /* with its end */

void sha256(const void *data, size_t bytes, uint8_t hash[SHA256_BYTES]);

/* The hash in base64 (RFC 4648); returns `text`. */
const char *sha256_base64(const void *data, size_t bytes, char text[SHA256_BASE64_BYTES]);

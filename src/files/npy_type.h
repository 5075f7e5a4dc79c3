/* NumPy's item types: the ones we take, and words for the ones we do not. */
#pragma once

#include "base/element.h"
#include "base/status.h"
#include "files/npy_header.h"

/* Reads a descr such as "<f4" into kind, order and item_bytes. A missing order, '=' or '|' means this machine's.
 * STATUS_INVALID says what kind of item it is that is not supported, or that the descr is nonsense. */
enum status npy_type_parse(const char *descr, struct npy_layout *layout, struct error *error);

/* The element type with these bits, whatever their byte order; ELEMENT_TYPE_COUNT when there is none (bool, long
 * double): such items can still be moved by their size. */
enum element_type npy_type_element(const struct npy_layout *layout);

/* Whether the items are in this machine's byte order. */
bool npy_type_is_native(const struct npy_layout *layout);

/* The item type in words for people: as NumPy calls it, "float32", "bool", "int16 (big-endian)"; returns `text`. */
const char *npy_type_text(const struct npy_layout *layout, char *text, size_t size);

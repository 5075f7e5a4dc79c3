/* Reading a file that 'uskor export' wrote. */
#pragma once

#include "store/transfer.h"

/* store_import of the regular file `path`. STATUS_SYSTEM, and nothing added, when the file changes while it is read. */
enum status exported_import(struct store *store, const char *path, struct import_counts *counts, struct error *error);

/* The store's file, and the connection to it. */
#pragma once

#include "store/database.h"

/* Gives the store its file's name; `path` as store_open takes it. A name that SQLite would take for something else than
 * a file (":memory:", "file:…") is refused. `make`: the default's folders are made. */
enum status connection_name(struct store *store, const char *path, bool make, struct error *error);

/* Opens the file, makes it where it is missing (store->made), and settles the connection: nothing that stands in the
 * file can make SQLite do more than read and write tables. */
enum status connection_open(struct store *store, struct error *error);

/* Closes it; a file that this store made and that holds no measurement or ceiling is removed. */
void connection_close(struct store *store);

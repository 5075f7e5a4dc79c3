/* A filter as SQL, on measurements called `m`. */
#pragma once

#include "store/database.h"

/* Appends " AND …" for each condition; false when that does not fit. The numbers of runs are written out. */
bool filter_conditions(const struct store_filter *filter, char *sql, size_t size);

/* Binds the parameters of filter_conditions; the filter must live until the statement has run. */
void filter_bind(const struct store_filter *filter, sqlite3_stmt *statement);

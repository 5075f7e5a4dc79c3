/* The checksum of a row of samples, as an SQL function of its columns: the same when it is written, migrated and read.
 */
#pragma once

#include <sqlite3.h>

/* The function's call with the columns of `samples`, and with the parameters that an INSERT binds. */
#define CHECKSUM_OF_COLUMNS "uskor_checksum(measurement, phase, count, median, quartile1, quartile3, times, rounds)"
#define CHECKSUM_OF_PARAMETERS "uskor_checksum(:id, :phase, :count, :median, :quartile1, :quartile3, :times, :rounds)"

/* Makes uskor_checksum(…) known to the connection; SQLITE_OK or SQLite's code. It is FNV-1a of 64 bits over its
 * arguments, as 16 hexadecimal digits; docs/store.md says how each is counted. A single wrong byte is always seen. */
int checksum_register(sqlite3 *database);

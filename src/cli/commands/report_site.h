/* The source tree's pages and the reports of all machines as one static site (tools/site). */
#pragma once

#include "base/status.h"

/* Makes or replaces the site in `folder`; `store` NULL: the default. The pages are those of the tree in whose build
 * folder this program is: STATUS_UNAVAILABLE where there is none. tools/site says itself what went wrong.
 * STATUS_INVALID where `folder` is something else than a site. */
enum status report_site(const char *folder, const char *store, struct error *error);

/* The chapter "Why": for each kernel predicted beside measured times, each rung's resources as bars, and pictures of
 * its accesses to memory. */
#pragma once

#include "report/html/page.h"
#include "report/model/explained.h"

struct explained_list {
    struct explained_kernel *kernels;
    size_t count;
};

/* A struct chapter's `write`; its context is a struct explained_list. */
void chapter_explained(struct page *page, const void *context);

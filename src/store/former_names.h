/* Names that stores and exports of earlier versions have: each is read as its present name. */
#pragma once

/* X(kernel, former, present): every rung that has been renamed. */
#define FORMER_RUNGS(X)                     \
    X("matmul", "naive-cpu", "serial")      \
    X("wave", "marching", "streaming")      \
    X("wave", "marching-fused", "temporal") \
    X("wave", "marching-async", "temporal-async")

/* The present name of a rung of `kernel` (NULL: of any); `rung` itself when it was never renamed. */
const char *present_rung_name(const char *kernel, const char *rung);

#include "base/size.h"
#include "distributed/ladder.h"
#include "kernels/part.h"

size_t deal_begin(size_t units, size_t block, size_t count, size_t index)
{
    size_t blocks = units / block + (units % block != 0);
    size_t begin;
    return size_multiply(part_begin(blocks, count, index), block, &begin) ? size_least(begin, units) : units;
}

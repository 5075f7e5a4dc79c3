/* The loops of the order without vectors of its own. */
#include "kernels/sort/order_steps.h"
#include "kernels/sort/simd.h"

#define TARGET
#define STEPS plain
#include "kernels/sort/order_steps.inc"

const struct order_steps *order_steps(void)
{
    const struct sort_level *level = sort_level();
    return level ? level->order : &plain;
}

#include "kernels/sort/order.h"

struct key_order key_order(enum element_type type)
{
    static const uint64_t sign_32 = UINT64_C(1) << 31, sign_64 = UINT64_C(1) << 63;
    switch (type) {
    case ELEMENT_F32: /* 2^23 - 1 NaNs of each sign */
        return (struct key_order){sign_32 - 1, sign_32, 0x7fffff, 0xff000002, 0};
    case ELEMENT_F64: /* 2^52 - 1 of each */
        return (struct key_order){sign_64 - 1, sign_64, 0xfffffffffffff, 0xffe0000000000002, 0};
    case ELEMENT_F16: /* 2^10 - 1 of each */
        return (struct key_order){0x7fff, 0x8000, 0x3ff, 0xf802, 0};
    case ELEMENT_BF16: /* 2^7 - 1 of each */
        return (struct key_order){0x7fff, 0x8000, 0x7f, 0xff02, 0};
    case ELEMENT_I8:
        return (struct key_order){0, 0x80, 0, 0, 0};
    case ELEMENT_I16:
        return (struct key_order){0, 0x8000, 0, 0, 0};
    case ELEMENT_I32:
        return (struct key_order){0, sign_32, 0, 0, 0};
    case ELEMENT_I64:
        return (struct key_order){0, sign_64, 0, 0, 0};
    default:
        return (struct key_order){0};
    }
}

/* numbers - 1 - key, with NaNs wrapping round to the end. */
struct key_order key_order_reversed(struct key_order order)
{
    order.always = ~order.always;
    order.below = -(order.below + order.numbers);
    return order;
}

/* key - numbers: NaNs come to 0, and numbers, which wrap round, behind them. */
struct key_order key_order_nans_first(struct key_order order, size_t bytes)
{
    const uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    if (order.numbers == 0)
        return order;
    order.nans = -order.numbers & mask;
    order.below += order.numbers;
    order.numbers = 0;
    return order;
}

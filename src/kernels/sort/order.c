#include "kernels/sort/order.h"

struct key_order key_order(enum element_type type)
{
    static const uint64_t sign_32 = UINT64_C(1) << 31, sign_64 = UINT64_C(1) << 63;
    switch (type) {
    case ELEMENT_F32: /* 2^23 - 1 NaNs of each sign */
        return (struct key_order){sign_32 - 1, sign_32, 0x7fffff, 0xff000002};
    case ELEMENT_F64: /* 2^52 - 1 of each */
        return (struct key_order){sign_64 - 1, sign_64, 0xfffffffffffff, 0xffe0000000000002};
    case ELEMENT_I32:
        return (struct key_order){0, sign_32, 0, 0};
    case ELEMENT_I64:
        return (struct key_order){0, sign_64, 0, 0};
    default:
        return (struct key_order){0};
    }
}

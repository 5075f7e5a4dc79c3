#include "distributed/ranks/method.h"

const struct method *const methods[] = {
    &method_transpose_exchange, &method_transpose_resident, &method_transpose_nccl,      &method_sort_splitters,
    &method_sort_resident,      &method_sort_nccl,          &method_dot_blocks,          &method_dot_resident,
    &method_dot_nccl,           &method_matmul_summa,       &method_matmul_summa_layers, &method_matmul_resident,
    &method_matmul_nccl,        &method_wave_halo,          &method_wave_overlapped,     &method_wave_halo_3d,
    &method_wave_overlapped_3d, &method_wave_resident,      &method_wave_nccl,           NULL,
};

// One kernel transposes a tile and sends it to the device that owns those rows, as tiles.cl does. Here bulk
// copies of compute capability 9.0 carry the output's rows: a thread starts one for each, and goes on while the bytes
// travel.
//
// A tile is DOWN x ACROSS elements, read along the input's rows by words of 16 bytes. A group has SLOTS tiles in shared
// memory. `places` has, for each device, the address of its output rows, then the first of them and their end.
//
// The first `locals` groups make the tiles that stay on this device. Were they any group's work, their loads would
// queue up behind stores that wait for the links.

constexpr int V = 16 / ELEMENT_BYTES, PITCH = DOWN + V;
constexpr int WORDS = ACROSS / V, STEP = THREADS / WORDS, STEPS = DOWN / STEP;
static_assert(STEPS * STEP == DOWN && ACROSS <= THREADS, "the threads load whole tiles");

union Word {
    uint4 whole;
    ELEMENT elements[V];
};

// Starts copying `bytes` bytes from shared memory; a multiple of 16, as are both addresses.
static __device__ void store_bulk(ELEMENT *to, const ELEMENT *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"((uint)__cvta_generic_to_shared(from)), "r"(bytes)
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(THREADS)
    transpose(const ELEMENT *in, const long *places, long rows, long cols, long first_row, long own_rows, int own,
              int count, int locals)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int thread = threadIdx.x, group = blockIdx.x, others = count - 1;
    const bool stays = group < locals;
    const int target = stays ? own : (own + 1 + (group - locals) % others) % count;
    const long step = stays ? locals : (gridDim.x - locals) / others;
    const long first = places[count + target], end = places[count + target + 1];
    const long down = (own_rows + DOWN - 1) / DOWN, tiles = down * ((end - first + ACROSS - 1) / ACROSS);
    const int x = thread % WORDS * V, y = thread / WORDS;
    int slot = 0;
    for (long tile = stays ? group : (group - locals) / others; tile < tiles; tile += step) {
        ELEMENT *turned = (ELEMENT *)shared + slot * ACROSS * PITCH;
        const long row = tile % down * DOWN, col = first + tile / down * ACROSS;
        const int bottom = (int)min(own_rows - row, (long)DOWN), right = (int)min(end - col, (long)ACROSS);
        const ELEMENT *from = in + (row + y) * cols + col + x;
        Word read[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; k++)
            if (y + k * STEP < bottom && x < right)
                read[k].whole = *(const uint4 *)(from + k * STEP * cols);
        // The slot's last tile has left it.
        asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(SLOTS - 1) : "memory");
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEPS; k++)
#pragma unroll
            for (int i = 0; i < V; i++)
                turned[(x + i) * PITCH + y + k * STEP] = read[k].elements[i];
        // The bulk copies see what all threads have stored.
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (thread < right)
            store_bulk((ELEMENT *)places[target] + (col - first + thread) * rows + first_row + row,
                       turned + thread * PITCH, bottom * ELEMENT_BYTES);
        else if (thread < ACROSS)
            asm volatile("cp.async.bulk.commit_group;" ::: "memory"); // so that every thread counts the same tiles
        slot = (slot + 1) % SLOTS;
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

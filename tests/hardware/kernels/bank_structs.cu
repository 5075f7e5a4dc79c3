// Bank conflicts: an array of structures of eight floats in shared memory.
// args: a, b, int(n)
// group: 256
// groups: ceil(n / 256)
struct body {
    float x, y, z, mass, vx, vy, vz, charge;
};
extern "C" __global__ void bank_structs(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ body bodies[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float x = i < n ? in[i] : 0;
    bodies[t].x = x;
    bodies[t].y = x + 1;
    bodies[t].z = x + 2;
    bodies[t].mass = 1 - x;
    __syncthreads();
    float force = 0;
    for (int j = 1; j <= 32; j++) {
        const body &other = bodies[(t + j) % 256];
        force += other.mass * (other.x - x) * (other.y - x) * (other.z - x);
    }
    if (i < n)
        out[i] = force;
}

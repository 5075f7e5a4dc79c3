// rung:    constants
// idea:    neighbouring items read WORDS different words of constant memory at once, 1024 times
// tune:    WORDS = 1 in 1 2 4 8 16 32
// group:   256
// groups:  n / 256
// args:    in, out, int(WORDS)

constant_array uint constants[64] = {
    0x3c6ef35fu, 0xdaa66d10u, 0x78dde6c1u, 0x17156072u, 0xb54cda23u, 0x538453d4u, 0xf1bbcd85u, 0x8ff34736u,
    0x2e2ac0e7u, 0xcc623a98u, 0x6a99b449u, 0x08d12dfau, 0xa708a7abu, 0x4540215cu, 0xe3779b0du, 0x81af14beu,
    0x1fe68e6fu, 0xbe1e0820u, 0x5c5581d1u, 0xfa8cfb82u, 0x98c47533u, 0x36fbeee4u, 0xd5336895u, 0x736ae246u,
    0x11a25bf7u, 0xafd9d5a8u, 0x4e114f59u, 0xec48c90au, 0x8a8042bbu, 0x28b7bc6cu, 0xc6ef361du, 0x6526afceu,
    0x035e297fu, 0xa195a330u, 0x3fcd1ce1u, 0xde049692u, 0x7c3c1043u, 0x1a7389f4u, 0xb8ab03a5u, 0x56e27d56u,
    0xf519f707u, 0x935170b8u, 0x3188ea69u, 0xcfc0641au, 0x6df7ddcbu, 0x0c2f577cu, 0xaa66d12du, 0x489e4adeu,
    0xe6d5c48fu, 0x850d3e40u, 0x2344b7f1u, 0xc17c31a2u, 0x5fb3ab53u, 0xfdeb2504u, 0x9c229eb5u, 0x3a5a1866u,
    0xd8919217u, 0x76c90bc8u, 0x15008579u, 0xb337ff2au, 0x516f78dbu, 0xefa6f28cu, 0x8dde6c3du, 0x2c15e5eeu};

__kernel void constant_cache(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, int words)
{
    size_t i = get_global_id(0);
    uint mine = (uint)((int)get_local_id(0) % words);
    ELEMENT sum = in[i];
    // An odd step visits all words in another order each time, so that no compiler keeps them in registers.
    for (uint step = 1; step < 32; step += 2)
        for (uint k = 0; k < 64; k++)
            sum += constants[(k * step + mine) & 63u];
    out[i] = sum;
}

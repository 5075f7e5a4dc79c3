// The language of OpenGL's rungs: GLSL 4.30, as it is. This file is read before the rung's own, behind the line
// "#version 430" and the macros ELEMENT, ELEMENT_BYTES, GROUP_X, GROUP_Y, GROUP_Z, the tunables and the choices.
//
// GLSL has no pointers and no arguments. The k-th argument of the header's `args`, from 0, is
//   an array:   layout(binding = k) readonly buffer Source { ELEMENT source[]; };
//   a number:   layout(location = k) uniform int rows;     an index: 32 bits, as no buffer has more than 2^31 bytes
//               layout(location = k) uniform ELEMENT alpha;
// The group is layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in; the launch must ask for the same.
// barrier() is enough: what was stored in shared memory before it is seen after it (GLSL 4.30, 8.16).

// Arrays without gaps, as the host has them.
layout(std430) buffer;

// NVIDIA's compiler unrolls loops of a constant length where it sees a gain, and all of them with this word; there is
// no pragma for one loop. Others skip the line.
#pragma optionNV(unroll all)

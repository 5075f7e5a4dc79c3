/* The pipeline of each instruction, from 7.0 on. Sources: the throughputs of the CUDA C++ programming guide (13.0,
 * section 5.4.1), and the pipelines named in Nsight Compute's documentation. The positions of the compiler's scheduling
 * bits were found by Jia and others ("Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018). */
#include <string.h>

#include "explain/compiled/sass.h"

const char *const code_pipe_keys[CODE_PIPES] = {
    [PIPE_NONE] = "none", [PIPE_FMA] = "fma", [PIPE_HEAVY] = "heavy",     [PIPE_ALU] = "alu",       [PIPE_XU] = "xu",
    [PIPE_FP64] = "fp64", [PIPE_LSU] = "lsu", [PIPE_TEXTURE] = "texture", [PIPE_TENSOR] = "tensor",
};

static bool begins_with(const char *words, const char *names)
{
    size_t length = strcspn(words, ". ;");
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t other = strcspn(at, " ");
        if (other == length && strncmp(at, words, length) == 0)
            return true;
        at += other;
    }
    return false;
}

enum code_pipe sass_pipe(const char *words, const struct explain_instruction *instruction)
{
    switch (instruction->class) {
    case CODE_FMA:
        return PIPE_FMA;
    case CODE_FLOAT:
        return begins_with(words, "FADD FMUL FADD32I FMUL32I FSWZADD") ? PIPE_FMA : PIPE_ALU;
    case CODE_HALF:
        return PIPE_FMA;
    case CODE_FP64:
        return PIPE_FP64;
    case CODE_TENSOR:
        return PIPE_TENSOR;
    case CODE_INTEGER:
        if (words[0] == 'U')
            return PIPE_NONE;
        return begins_with(words, "POPC FLO BREV")        ? PIPE_XU
               : begins_with(words, "IMAD IMUL XMAD IDP") ? PIPE_HEAVY
                                                          : PIPE_ALU;
    case CODE_CONVERT:
        return begins_with(words, "I2FP F2FP F2IP I2IP") ? PIPE_ALU : PIPE_XU;
    case CODE_SPECIAL:
        return PIPE_XU;
    case CODE_MOVE:
        if (begins_with(words, "MOV SEL MOV32I P2R R2P"))
            return PIPE_ALU;
        return begins_with(words, "IMAD HFMA2") ? PIPE_HEAVY : PIPE_NONE;
    case CODE_SHUFFLE:
        return begins_with(words, "VOTE VOTEU") ? PIPE_ALU : PIPE_LSU;
    case CODE_LOAD:
    case CODE_STORE:
    case CODE_ATOMIC:
        return instruction->space == CODE_IMAGE ? PIPE_TEXTURE : PIPE_LSU;
    default:
        return PIPE_NONE;
    }
}

static signed char scoreboard(unsigned long long bits)
{
    return (bits & 7) == 7 ? -1 : (signed char)(bits & 7);
}

struct code_control sass_control(unsigned long long high)
{
    return (struct code_control){.stall = high >> 41 & 15,
                                 .result = scoreboard(high >> 46),
                                 .read = scoreboard(high >> 49),
                                 .wait = high >> 52 & 63};
}

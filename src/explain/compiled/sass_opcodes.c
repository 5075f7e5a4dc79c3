/* Classes, spaces and pipelines of SASS opcodes; all generations share one list. Sources: the instruction set tables of
 * "CUDA Binary Utilities" (13.0, sections 4.1 to 4.6); the throughputs of the CUDA C++ programming guide (13.0, section
 * 5.4.1), and the pipelines named in Nsight Compute's documentation. The positions of the compiler's scheduling bits
 * were found by Jia and others ("Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018). */
#include "explain/compiled/sass_opcodes.h"

#include <string.h>

#include "base/size.h"

const char *const code_pipe_keys[CODE_PIPES] = {
    [PIPE_NONE] = "none", [PIPE_FMA] = "fma", [PIPE_HEAVY] = "heavy",     [PIPE_ALU] = "alu",       [PIPE_XU] = "xu",
    [PIPE_FP64] = "fp64", [PIPE_LSU] = "lsu", [PIPE_TEXTURE] = "texture", [PIPE_TENSOR] = "tensor",
};

static const struct {
    struct sass_opcode kind;
    const char *names;
} table[] = {
    {{CODE_FMA, 0, PIPE_FMA}, "FFMA FFMA2 FFMA32I"},
    {{CODE_FLOAT, 0, PIPE_FMA}, "FADD FADD32I FMUL FMUL32I FSWZADD"},
    {{CODE_FLOAT, 0, PIPE_ALU}, "FADD2 FMUL2 FMNMX FMNMX3 FSET FSETP FSEL FCMP FCHK FSWZ RRO"},
    {{CODE_HALF, 0, PIPE_FMA},
     "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2 HFMA HADD HMUL HMNMX BFMA2"},
    {{CODE_FP64, 0, PIPE_FP64}, "DADD DMUL DFMA DMNMX DSET DSETP"},
    {{CODE_TENSOR, 0, PIPE_TENSOR},
     "HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMMA"},
    {{CODE_INTEGER, 0, PIPE_HEAVY}, "IMAD IMUL XMAD IDP"},
    {{CODE_INTEGER, 0, PIPE_XU}, "POPC FLO BREV"},
    {{CODE_INTEGER, 0, PIPE_ALU},
     "IADD IADD3 IADD32I IADD64 IMAD32I IMAD64 IMUL32I LEA LOP LOP3 LOP32I SHF SHL SHR ISET ISETP ICMP IMNMX VIMNMX "
     "VIMNMX3 IABS BMSK SGXT PRMT IDP4A ISCADD ISCADD32I ISAD VIADD VIADDMNMX VABSDIFF VABSDIFF4 BFE BFI PLOP3 PSETP "
     "PSET CSET CSETP LEPC"},
    {{CODE_INTEGER, 0, PIPE_NONE},
     "UIADD3 UIMAD ULEA ULOP ULOP3 USHF USHL USHR UISETP UPLOP3 UPRMT UPOPC UFLO UBREV UBMSK USGXT UIABS UVIADD "
     "UVIMNMX UIMNMX"},
    {{CODE_CONVERT, 0, PIPE_ALU}, "F2FP I2FP I2IP F2IP"},
    {{CODE_CONVERT, 0, PIPE_XU}, "F2F F2I I2F I2I FRND UF2F UF2FP UI2FP UI2F UF2I UI2I UFRND"},
    {{CODE_SPECIAL, 0, PIPE_XU}, "MUFU"},
    {{CODE_MOVE, 0, PIPE_ALU}, "MOV MOV32I SEL P2R R2P"},
    {{CODE_MOVE, 0, PIPE_NONE}, "MOV64IUR UMOV USEL S2R CS2R S2UR R2UR UP2UR UR2UP R2B B2R BMOV MOVM PCNT GETLMEMBASE"},
    {{CODE_SHUFFLE, 0, PIPE_ALU}, "VOTE VOTEU"},
    {{CODE_SHUFFLE, 0, PIPE_LSU}, "SHFL MATCH REDUX CREDUX"},
    {{CODE_LOAD, CODE_GLOBAL, PIPE_LSU}, "LDG LD LDGSTS UBLKCP UTMALDG UBLKPF UTMAPF"},
    {{CODE_LOAD, CODE_SHARED, PIPE_LSU}, "LDS LDSM LDSLK LDTM"},
    {{CODE_LOAD, CODE_STACK, PIPE_LSU}, "LDL"},
    {{CODE_LOAD, CODE_IMAGE, PIPE_TEXTURE}, "TEX TEXS TLD TLDS TLD4 TLD4S TXD TXQ TMML SULD SULDGA"},
    {{CODE_STORE, CODE_GLOBAL, PIPE_LSU}, "STG ST UTMASTG"},
    {{CODE_STORE, CODE_SHARED, PIPE_LSU}, "STS STSM STSCUL STAS STTM"},
    {{CODE_STORE, CODE_STACK, PIPE_LSU}, "STL"},
    {{CODE_STORE, CODE_IMAGE, PIPE_TEXTURE}, "SUST SUSTGA"},
    {{CODE_ATOMIC, CODE_GLOBAL, PIPE_LSU}, "ATOM ATOMG RED REDG UTMAREDG UBLKRED"},
    {{CODE_ATOMIC, CODE_SHARED, PIPE_LSU}, "ATOMS REDS"},
    {{CODE_CONSTANT, 0, PIPE_NONE}, "LDC ULDC LDCU"},
    {{CODE_BARRIER, 0, PIPE_NONE},
     "BAR UBAR UCGABAR_ARV UCGABAR_WAIT MEMBAR ERRBAR DEPBAR LDGDEPBAR ARRIVES SYNCS WARPSYNC WARPGROUP WARPGROUPSET "
     "FENCE UTMACMDFLUSH UTMACCTL CCTL CCTLL CCTLT TEXDEPBAR ACQBULK PREEXIT ELECT NANOSLEEP YIELD"},
    {{CODE_BRANCH, 0, PIPE_NONE},
     "BRA BRX BRXU JMP JMX JMXU CALL CAL JCAL RET EXIT BREAK BRK PBK CONT SSY SYNC BSSY BSYNC BPT KILL RPCMOV RTT IDE "
     "LONGJMP PLONGJMP PEXIT PRET RAM SAM WARPEXIT"},
};

bool sass_is_one_of(const char *name, const char *names)
{
    const size_t length = strlen(name);
    for (; names[0]; names += strcspn(names, " "), names += names[0] == ' ')
        if (strcspn(names, " ") == length && strncmp(names, name, length) == 0)
            return true;
    return false;
}

struct sass_opcode sass_opcode(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (sass_is_one_of(name, table[i].names))
            return table[i].kind;
    return (struct sass_opcode){.class = CODE_OTHER};
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

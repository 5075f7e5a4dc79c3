/* Classes of SASS opcodes, by the part before the first point; all generations share one list. Source: the instruction
 * set tables of "CUDA Binary Utilities" (13.0, sections 4.1 to 4.6). Unlisted opcodes are CODE_OTHER. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/sass.h"

struct opcodes {
    enum code_class class;
    enum code_space space;
    const char *names; /* separated by blanks */
};

static const struct opcodes table[] = {
    {CODE_FMA, 0, " FFMA FFMA2 FFMA32I "},
    {CODE_FLOAT, 0, " FADD FADD2 FADD32I FMUL FMUL2 FMUL32I FMNMX FMNMX3 FSET FSETP FSEL FCMP FCHK FSWZ FSWZADD RRO "},
    {CODE_HALF, 0, " HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2 HFMA HADD HMUL HMNMX BFMA2 "},
    {CODE_FP64, 0, " DADD DMUL DFMA DMNMX DSET DSETP "},
    {CODE_TENSOR, 0, " HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA BGMMA QGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCMMA "},
    {CODE_INTEGER, 0,
     " IADD IADD3 IADD32I IADD64 IMAD IMAD32I IMAD64 IMUL IMUL32I XMAD LEA LOP LOP3 LOP32I SHF SHL SHR ISET ISETP ICMP "
     "IMNMX VIMNMX VIMNMX3 IABS POPC FLO BREV BMSK SGXT PRMT IDP IDP4A ISCADD ISCADD32I ISAD VIADD VIADDMNMX VABSDIFF "
     "VABSDIFF4 BFE BFI LOP3 PLOP3 PSETP PSET CSET CSETP UIADD3 UIMAD ULEA ULOP ULOP3 USHF USHL USHR UISETP UPLOP3 "
     "UPRMT UPOPC UFLO UBREV UBMSK USGXT UIABS UVIADD UVIMNMX UIMNMX LEPC "},
    {CODE_CONVERT, 0, " F2F F2I I2F I2I F2FP I2FP I2IP F2IP FRND UF2F UF2FP UI2FP UI2F UF2I UI2I UFRND "},
    {CODE_SPECIAL, 0, " MUFU "},
    {CODE_MOVE, 0,
     " MOV MOV32I MOV64IUR UMOV SEL USEL S2R CS2R S2UR R2UR P2R R2P UP2UR UR2UP R2B B2R BMOV MOVM PCNT GETLMEMBASE "},
    {CODE_SHUFFLE, 0, " SHFL VOTE VOTEU MATCH REDUX CREDUX "},
    {CODE_LOAD, CODE_GLOBAL, " LDG LD LDGSTS UBLKCP UTMALDG UBLKPF UTMAPF "},
    {CODE_LOAD, CODE_SHARED, " LDS LDSM LDSLK LDTM "},
    {CODE_LOAD, CODE_STACK, " LDL "},
    {CODE_LOAD, CODE_IMAGE, " TEX TEXS TLD TLDS TLD4 TLD4S TXD TXQ TMML SULD SULDGA "},
    {CODE_STORE, CODE_GLOBAL, " STG ST UTMASTG "},
    {CODE_STORE, CODE_SHARED, " STS STSM STSCUL STAS STTM "},
    {CODE_STORE, CODE_STACK, " STL "},
    {CODE_STORE, CODE_IMAGE, " SUST SUSTGA "},
    {CODE_ATOMIC, CODE_GLOBAL, " ATOM ATOMG RED REDG UTMAREDG UBLKRED "},
    {CODE_ATOMIC, CODE_SHARED, " ATOMS REDS "},
    {CODE_CONSTANT, 0, " LDC ULDC LDCU "},
    {CODE_BARRIER, 0,
     " BAR UBAR UCGABAR_ARV UCGABAR_WAIT MEMBAR ERRBAR DEPBAR LDGDEPBAR ARRIVES SYNCS WARPSYNC WARPGROUP WARPGROUPSET "
     "FENCE UTMACMDFLUSH UTMACCTL CCTL CCTLL CCTLT TEXDEPBAR ACQBULK PREEXIT ELECT NANOSLEEP YIELD "},
    {CODE_BRANCH, 0,
     " BRA BRX BRXU JMP JMX JMXU CALL CAL JCAL RET EXIT BREAK BRK PBK PCNT CONT SSY SYNC BSSY BSYNC BPT KILL RPCMOV "
     "RTT "
     "IDE JCAL LONGJMP PLONGJMP PEXIT PRET RAM SAM WARPEXIT "},
};

static bool lists(const char *names, const char *opcode, size_t length)
{
    for (const char *at = names; (at = strstr(at, opcode)) != NULL; at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static bool has(const char *words, const char *modifier)
{
    size_t length = strlen(modifier), end = strcspn(words, " ");
    for (const char *at = words; (at = strstr(at, modifier)) != NULL && at < words + end; at++)
        if (strchr(". ;", at[length]))
            return true;
    return false;
}

/* ".U8", ".64", ".128"; LDSM loads whole matrices of 8 x 8 halves, 32 bits per item and matrix. */
static int bits_of(const char *words)
{
    if (strncmp(words, "LDSM", 4) == 0 || strncmp(words, "STSM", 4) == 0)
        return has(words, ".4") ? 128 : has(words, ".2") ? 64 : 32;
    if (has(words, ".128"))
        return 128;
    if (has(words, ".64"))
        return 64;
    if (has(words, ".U8") || has(words, ".S8") || has(words, ".8"))
        return 8;
    return has(words, ".U16") || has(words, ".S16") || has(words, ".16") ? 16 : 32;
}

/* Some arithmetic instructions only move a constant or a register: "IMAD.MOV.U32", "HFMA2.MMA R1, -RZ, RZ, 0, 0". */
static bool is_move(const char *words)
{
    if (has(words, ".MOV"))
        return true;
    const char *operands = strchr(words, ',');
    return strncmp(words, "HFMA2", 5) == 0 && operands && strncmp(operands, ", -RZ, RZ,", 10) == 0;
}

struct explain_instruction sass_classify(const char *words)
{
    struct explain_instruction instruction = {.class = CODE_OTHER, .loop = -1};
    char opcode[24];
    size_t length = strcspn(words, ". ;");
    if (length >= sizeof opcode)
        return instruction;
    memcpy(opcode, words, length);
    opcode[length] = '\0';
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (length > 0 && lists(table[i].names, opcode, length)) {
            instruction.class = table[i].class;
            instruction.space = table[i].space;
            break;
        }
    if (is_move(words))
        instruction.class = CODE_MOVE;
    if (instruction.space != CODE_NO_SPACE)
        instruction.bits = bits_of(words);
    return instruction;
}

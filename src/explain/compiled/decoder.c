#include "explain/compiled/decoder.h"

#if !defined __x86_64__
enum status decoder_open(struct error *error)
{
    return fail(error, STATUS_UNAVAILABLE, "code of this processor is not read");
}
#elif !defined USKOR_ZYDIS_FILE
enum status decoder_open(struct error *error)
{
    (void)error;
    return STATUS_OK; /* Zydis is linked */
}
#else
#include <Zydis/Zydis.h>
#include <pthread.h>
#include <stddef.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

/* What is called of Zydis: result, name, parameters, arguments. */
#define FUNCTIONS(X)                                                                                                  \
    X(ZyanStatus, DecoderInit, (ZydisDecoder * decoder, ZydisMachineMode mode, ZydisStackWidth width),                \
      (decoder, mode, width))                                                                                         \
    X(ZyanStatus, DecoderDecodeFull,                                                                                  \
      (const ZydisDecoder *decoder, const void *code, ZyanUSize bytes, ZydisDecodedInstruction *instruction,          \
       ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]),                                                        \
      (decoder, code, bytes, instruction, operands))                                                                  \
    X(ZyanStatus, CalcAbsoluteAddress,                                                                                \
      (const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand, ZyanU64 at, ZyanU64 *address), \
      (instruction, operand, at, address))                                                                            \
    X(const char *, MnemonicGetString, (ZydisMnemonic mnemonic), (mnemonic))                                          \
    X(ZydisRegisterClass, RegisterGetClass, (ZydisRegister name), (name))                                             \
    X(ZyanI8, RegisterGetId, (ZydisRegister name), (name))                                                            \
    X(ZydisRegister, RegisterGetLargestEnclosing, (ZydisMachineMode mode, ZydisRegister name), (mode, name))          \
    X(ZydisRegisterWidth, RegisterGetWidth, (ZydisMachineMode mode, ZydisRegister name), (mode, name))

static struct zydis_functions {
#define X(result, name, parameters, arguments) result(*name) parameters;
    FUNCTIONS(X)
#undef X
} zydis;

/* Callers have opened the library. */
#define X(result, name, parameters, arguments) \
    result Zydis##name parameters              \
    {                                          \
        return zydis.name arguments;           \
    }
FUNCTIONS(X)
#undef X

static enum status open_status;
static struct error open_error;

static void open_zydis(void)
{
    static const char *const names[] = {USKOR_ZYDIS_FILE, NULL};
    static const struct dynamic_symbol symbols[] = {
#define X(result, name, parameters, arguments) {"Zydis" #name, offsetof(struct zydis_functions, name), 0},
        FUNCTIONS(X)
#undef X
    };
    static const struct dynamic_library library = {
        .title = "Zydis",
        .names = names,
        .advice = N_("install Zydis of that version (Debian 12: libzydis4.0), which decodes the processor's code"),
    };
    void *handle;
    open_status = dynamic_library_open(&library, symbols, COUNT_OF(symbols), &zydis, &handle, &open_error);
}

enum status decoder_open(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_zydis);
    return open_status == STATUS_OK ? STATUS_OK : fail(error, open_status, "%s", open_error.text);
}
#endif

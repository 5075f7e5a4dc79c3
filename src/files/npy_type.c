#include "files/npy_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

static const struct {
    char kind;
    size_t bytes;
    enum element_type element;
    const char *text;
} supported[] = {
    {'b', 1, ELEMENT_TYPE_COUNT, "bool"},
    {'i', 1, ELEMENT_I8, "int8"},
    {'i', 2, ELEMENT_I16, "int16"},
    {'i', 4, ELEMENT_I32, "int32"},
    {'i', 8, ELEMENT_I64, "int64"},
    {'u', 1, ELEMENT_U8, "uint8"},
    {'u', 2, ELEMENT_U16, "uint16"},
    {'u', 4, ELEMENT_U32, "uint32"},
    {'u', 8, ELEMENT_U64, "uint64"},
    {'f', 2, ELEMENT_F16, "float16"},
    {'f', 4, ELEMENT_F32, "float32"},
    {'f', 8, ELEMENT_F64, "float64"},
    {'f', 16, ELEMENT_TYPE_COUNT, "long double"},
    {'c', 8, ELEMENT_C64, "complex64"},
    {'c', 16, ELEMENT_C128, "complex128"},
};

/* NumPy's types that are not numbers. */
static const struct {
    char kind;
    const char *what;
} refused[] = {
    {'O', "Python objects (a pickle)"},
    {'U', "Unicode strings"},
    {'T', "strings"},
    {'S', "byte strings"},
    {'a', "byte strings"},
    {'V', "raw bytes (void items)"},
    {'M', "dates and times"},
    {'m', "time differences"},
};

/* Other names that NumPy reads. 'l' is what it is on 64-bit Linux. */
static const struct {
    const char *name, *code;
} aliases[] = {
    {"?", "b1"},           {"bool", "b1"},        {"bool_", "b1"},  {"b", "i1"},        {"byte", "i1"},
    {"int8", "i1"},        {"h", "i2"},           {"short", "i2"},  {"int16", "i2"},    {"i", "i4"},
    {"intc", "i4"},        {"int32", "i4"},       {"l", "i8"},      {"q", "i8"},        {"int", "i8"},
    {"int64", "i8"},       {"B", "u1"},           {"ubyte", "u1"},  {"uint8", "u1"},    {"H", "u2"},
    {"ushort", "u2"},      {"uint16", "u2"},      {"I", "u4"},      {"uintc", "u4"},    {"uint32", "u4"},
    {"L", "u8"},           {"Q", "u8"},           {"uint", "u8"},   {"uint64", "u8"},   {"e", "f2"},
    {"half", "f2"},        {"float16", "f2"},     {"f", "f4"},      {"single", "f4"},   {"float32", "f4"},
    {"d", "f8"},           {"float", "f8"},       {"double", "f8"}, {"float64", "f8"},  {"F", "c8"},
    {"csingle", "c8"},     {"complex64", "c8"},   {"D", "c16"},     {"cdouble", "c16"}, {"complex", "c16"},
    {"complex128", "c16"}, {"int_", "i8"},        {"long", "i8"},   {"longlong", "i8"}, {"p", "i8"},
    {"intp", "i8"},        {"ulong", "u8"},       {"P", "u8"},      {"uintp", "u8"},    {"ulonglong", "u8"},
    {"g", "f16"},          {"longdouble", "f16"},
};

static char native_order(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
}

enum status npy_type_parse(const char *descr, struct npy_layout *layout, struct error *error)
{
    char order = native_order();
    const char *name = descr;
    if (*name != '\0' && strchr("<>|=", *name)) {
        order = *name == '=' || *name == '|' ? order : *name; /* NumPy takes '|' for its own order, too */
        name++;
    }
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (strcmp(name, aliases[i].name) == 0) {
            name = aliases[i].code;
            break;
        }
    if (strcmp(name, "V2") == 0)
        return fail(error, STATUS_INVALID,
                    "holds raw items of 2 bytes (descr '%s'), as bfloat16 is saved, for which .npy has no type; save "
                    "float16 or float32",
                    descr);
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        if (name[0] == refused[i].kind)
            return fail(error, STATUS_INVALID, "holds %s (descr '%s'), not numbers", refused[i].what, descr);
    for (size_t i = 0; i < COUNT_OF(supported); i++) {
        char spelled[8];
        snprintf(spelled, sizeof spelled, "%c%zu", supported[i].kind, supported[i].bytes);
        if (strcmp(name, spelled) != 0)
            continue;
        layout->kind = supported[i].kind;
        layout->order = supported[i].bytes == 1 ? '|' : order;
        layout->item_bytes = supported[i].bytes;
        return STATUS_OK;
    }
    return fail(error, STATUS_INVALID,
                "has the unknown item type '%s' (b1, i1 to i8, u1 to u8, f2 to f16, c8 and c16 are known)", descr);
}

enum element_type npy_type_element(const struct npy_layout *layout)
{
    for (size_t i = 0; i < COUNT_OF(supported); i++)
        if (supported[i].kind == layout->kind && supported[i].bytes == layout->item_bytes)
            return supported[i].element;
    return ELEMENT_TYPE_COUNT;
}

bool npy_type_is_native(const struct npy_layout *layout)
{
    return layout->order == '|' || layout->order == native_order();
}

const char *npy_type_text(const struct npy_layout *layout, char *text, size_t size)
{
    const char *name = "?";
    for (size_t i = 0; i < COUNT_OF(supported); i++)
        if (supported[i].kind == layout->kind && supported[i].bytes == layout->item_bytes)
            name = supported[i].text;
    const char *order = npy_type_is_native(layout) ? "" : layout->order == '>' ? " (big-endian)" : " (little-endian)";
    snprintf(text, size, "%s%s", name, order);
    return text;
}

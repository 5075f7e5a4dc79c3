/* An OpenCL library, put where the loader looks first: it hands all calls on to the real one, REAL_OPENCL, and does
 * harm at the function that FAULT names (harm.h). Besides the acts of harm.c:
 *
 *   Function-code-42    it fails with that code
 *   Function-null       it makes nothing, or does nothing, and says that it succeeded
 *   Function-zero, -most, -wild, -long, -open, -odd
 *                       its answer has only zeros; only ones; another number each time; 10,000 letters; letters without
 *                       an end; letters that a terminal would obey. FAULT_ANSWER=4098: to that question alone */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "harm.h"

#define EXPORT __attribute__((visibility("default")))
#define LONG_BYTES ((size_t)10000)

static void *real(const char *name)
{
    static void *library;
    const char *path = getenv("REAL_OPENCL");
    if (!library)
        library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, name) : NULL;
    if (!address)
        abort();
    return address;
}

/* Whether the call is not handed on, and its code then. */
static bool is_replaced(const char *fault, cl_int *code)
{
    if (!fault)
        return false;
    harm_by(fault);
    const bool is_code = strncmp(fault, "code-", 5) == 0;
    *code = is_code ? atoi(fault + 5) : CL_SUCCESS;
    if (is_code && fault[5] == 'm') /* "m42": below 0 */
        *code = -atoi(fault + 6);
    return is_code || strcmp(fault, "null") == 0;
}

static bool is_asked(cl_uint question)
{
    const char *only = getenv("FAULT_ANSWER");
    return !only || strtoul(only, NULL, 0) == question;
}

static cl_int say(const char *text, size_t bytes, size_t size, void *value, size_t *needed)
{
    if (needed)
        *needed = bytes;
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, text, bytes);
    return CL_SUCCESS;
}

static cl_int answer(const char *fault, cl_int code, size_t size, void *value, size_t *needed)
{
    static const char odd[] = "Evil\n\033[31m\",\\'<b>&amp;%s%n\t\177\302\233x";
    static char many[LONG_BYTES];
    memset(many, 'x', LONG_BYTES - 1);
    if (strcmp(fault, "long") == 0)
        return say(many, LONG_BYTES, size, value, needed);
    if (strcmp(fault, "odd") == 0)
        return say(odd, sizeof odd, size, value, needed);
    if (strcmp(fault, "wild") == 0) {
        static unsigned char state = 1;
        for (size_t i = 0; value && i < size; i++)
            ((unsigned char *)value)[i] = state = (unsigned char)(state * 5 + 3);
        return CL_SUCCESS;
    }
    const int filling = strcmp(fault, "zero") == 0 ? 0 : strcmp(fault, "most") == 0 ? 0xff : 'x';
    if (filling == 'x' && strcmp(fault, "open") != 0)
        return code;
    if (needed)
        memset(needed, filling == 'x' ? 0x7f : filling, sizeof *needed);
    if (value)
        memset(value, filling, size);
    return CL_SUCCESS;
}

/* memcpy, because ISO C has no conversion from void * to a function pointer. */
#define REAL(name)                                    \
    static __typeof__(cl##name) *function;            \
    if (!function) {                                  \
        void *address = real("cl" #name);             \
        memcpy(&function, &address, sizeof function); \
    }                                                 \
    cl_int made

#define DOES(name, parameters, arguments)                                       \
    EXPORT cl_int cl##name parameters                                           \
    {                                                                           \
        REAL(name);                                                             \
        return is_replaced(fault_at(#name), &made) ? made : function arguments; \
    }

#define ASKS(name, parameters, arguments)                                \
    EXPORT cl_int cl##name parameters                                    \
    {                                                                    \
        REAL(name);                                                      \
        const char *fault = is_asked(question) ? fault_at(#name) : NULL; \
        if (is_replaced(fault, &made))                                   \
            return made;                                                 \
        made = function arguments;                                       \
        return fault ? answer(fault, made, size, value, needed) : made;  \
    }

#define MAKES(type, name, parameters, arguments)  \
    EXPORT type cl##name parameters               \
    {                                             \
        REAL(name);                               \
        if (!is_replaced(fault_at(#name), &made)) \
            return function arguments;            \
        if (code)                                 \
            *code = made;                         \
        return NULL;                              \
    }

#include "opencl_functions.def"

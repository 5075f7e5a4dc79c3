/* A switch saves the callee-saved registers and changes stacks: a few nanoseconds. swapcontext would make a system call
 * for the signal mask each time. */
#include "explain/memory/coroutine.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

void uskor_coroutine_switch(void **from, void *to);
__asm__(".text\n"
        ".globl uskor_coroutine_switch\n"
        ".hidden uskor_coroutine_switch\n"
        ".type uskor_coroutine_switch,@function\n"
        "uskor_coroutine_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size uskor_coroutine_switch,.-uskor_coroutine_switch\n");

enum { SAVED_WORDS = 6 };

void coroutine_make(struct coroutine *coroutine, void *stack, size_t bytes, void (*entry)(void))
{
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
    void **frame = (void **)top - 2 - SAVED_WORDS; /* at entry the stack pointer is 8 bytes off a multiple of 16 */
    memset(frame, 0, SAVED_WORDS * sizeof *frame);
    frame[SAVED_WORDS] = (void *)(uintptr_t)entry;
    frame[SAVED_WORDS + 1] = NULL;
    coroutine->stack_pointer = frame;
}

void coroutine_switch(struct coroutine *from, struct coroutine *to)
{
    uskor_coroutine_switch(&from->stack_pointer, to->stack_pointer);
}

#elif defined(__aarch64__)

void uskor_coroutine_switch(void **from, void *to);
__asm__(".text\n"
        ".globl uskor_coroutine_switch\n"
        ".hidden uskor_coroutine_switch\n"
        ".type uskor_coroutine_switch,%function\n"
        "uskor_coroutine_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x2, sp\n"
        "    str x2, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size uskor_coroutine_switch,.-uskor_coroutine_switch\n");

enum { SAVED_WORDS = 20, RETURN_WORD = 11 };

void coroutine_make(struct coroutine *coroutine, void *stack, size_t bytes, void (*entry)(void))
{
    uintptr_t top = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
    void **frame = (void **)top - SAVED_WORDS;
    memset(frame, 0, SAVED_WORDS * sizeof *frame);
    frame[RETURN_WORD] = (void *)(uintptr_t)entry;
    coroutine->stack_pointer = frame;
}

void coroutine_switch(struct coroutine *from, struct coroutine *to)
{
    uskor_coroutine_switch(&from->stack_pointer, to->stack_pointer);
}

#else

void coroutine_make(struct coroutine *coroutine, void *stack, size_t bytes, void (*entry)(void))
{
    getcontext(&coroutine->context);
    coroutine->context.uc_stack.ss_sp = stack;
    coroutine->context.uc_stack.ss_size = bytes;
    coroutine->context.uc_link = NULL;
    makecontext(&coroutine->context, entry, 0);
}

void coroutine_switch(struct coroutine *from, struct coroutine *to)
{
    swapcontext(&from->context, &to->context);
}

#endif

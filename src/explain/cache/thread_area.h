/* A recorded thread's own memory, which its %gs points to: what copied code writes without touching flags or stack. */
#pragma once

#include <stdint.h>

#define AREA_RECORDS 4096
#define AREA_BLOCKS 16384 /* basic blocks of all copied functions */
#define AREA_STACK 65536  /* bytes: of the functions that are called when records are full */
#define AREA_STATE 4096   /* bytes for the vector registers meanwhile */

struct area_record {
    uint64_t address;
    uint32_t site; /* which access of the code */
    uint32_t unused;
};

struct thread_area {
    int64_t position; /* of the next record, in bytes before the end of `records`: negative; 0: full */
    uint64_t rax, rcx, rsp;
    uint64_t back;   /* where copied code goes on */
    uint64_t target; /* of an indirect jump */
    uint64_t number; /* of the thread */
    uint64_t self, stack_end, state_at;
    uint64_t enter;               /* nothing, or the function to call when records are full */
    uint64_t translate;           /* … for the target of an indirect jump */
    uint64_t blocks[AREA_BLOCKS]; /* how often each was executed */
    struct area_record records[AREA_RECORDS];
    _Alignas(64) unsigned char state[AREA_STATE];
    _Alignas(64) unsigned char stack[AREA_STACK];
};

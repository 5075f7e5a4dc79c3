/* Launches on PoCL, whose cache of loaded kernels takes one that ends for another of the same kernel: it knows a launch
 * by its kernel and its group, and not by the number of groups for which it loaded that kernel. Where several are under
 * way, in different queues, it ends the process (3.1: "pocl_release_dlhandle_cache: Assertion"). */
#pragma once

#include "backends/opencl/library.h"

/* Waits until every launch in another queue has ended. Until pocl_turn_end no other thread begins its turn. */
void pocl_turn_begin(cl_command_queue queue);
void pocl_turn_end(void);

/* Call it when the queue's commands have ended, before it is released. */
void pocl_turns_forget(cl_command_queue queue);

/* Waits for the queue's launches, on PoCL alone, and forgets it: for a queue that is somebody else's to release. */
void pocl_turns_leave(cl_command_queue queue);

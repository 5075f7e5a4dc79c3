/* CPU time of the process up to now. The system counts a thread that runs on another core up to its last tick only,
 * milliseconds ago. So where threads share work as they come, a call in which one comes late looks twice as long: the
 * work of the calling thread alone is counted. */
#pragma once

#include <stdint.h>

/* Lists the process's threads; it takes some 20 us. Until thread_clocks_forget they are counted up to now. */
void thread_clocks_note(void);
void thread_clocks_forget(void);

/* clock_processor(), ns, once each listed thread's own clock was read, which counts it up to now: 1 us a thread. */
int64_t thread_clocks_processor(void);

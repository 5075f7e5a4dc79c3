/* Waits until this process is idle. */
#pragma once

/* Sleeps until no other thread of this process uses a core or waits for one, for at most 500 ms. Worker threads of a
 * library (OpenBLAS, OpenMP) spin after a call, for up to 30 ms, and would slow down the next timed rung. */
void wait_until_at_rest(void);

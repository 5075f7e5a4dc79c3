/* How many equal arrays the ceiling's probe reads and writes, where a problem's own arrays differ in size. */
#pragma once

#include "kernels/kernel.h"

/* Fills in the cost's streams from its bytes: about as many read for each one written. A side that carries less than an
 * eighth of the other has no stream: the probe is then one that only reads, or only writes. At most two are read and
 * four written. */
void cost_choose_streams(struct cost *cost);

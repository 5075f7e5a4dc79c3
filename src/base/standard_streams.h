/* Standard input, output and error of a program that was started without some of them (">&-"). */
#ifndef USKOR_BASE_STANDARD_STREAMS_H
#define USKOR_BASE_STANDARD_STREAMS_H

/* Occupies those of the descriptors 0 to 2 that are closed, so that no file that is opened later takes their place:
 * what is printed would go into it. Reading and writing there fail with EBADF, as before. To be called first. */
void standard_streams_occupy(void);

#endif

/* LD_LIBRARY_PATH without empty entries, which the loader reads as the current folder. */
#pragma once

/* An empty entry ("a::b", a colon at an end) means the current folder to the loader, and mostly nothing to the user:
 * whoever may write there would choose what is loaded. Starts the program anew without such entries; returns where
 * there are none, or the system does not start it. */
void library_path_clean(char **argv);

/* Lines of nvdisasm's listings. */
#pragma once

/* Of a line that begins with an offset, as a comment, and an instruction: the offset in the function, and where the
 * instruction's words begin; NULL for any other line. (sscanf would look for the end of the whole listing each time.)
 */
const char *sass_words(const char *line, unsigned *offset);

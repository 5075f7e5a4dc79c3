/* Whether two files are the same but for comments, spaces, line ends and macros' names. */
#pragma once

/* The file's own tokens, each behind a blank, as the machine's C preprocessor leaves them: what it includes is not
 * among them. Of a text that is not preprocessed here (headers of another language's runtime) the tokens as they are
 * written. NULL for a file that cannot be read. The preprocessor runs inside the walls and sees that file alone. The
 * caller frees them. */
char *user_tokens_read(const char *path);

/* SHA-256 of them, in hexadecimal; "" where there are none. */
void user_tokens_hash(const char *path, char hash[65]);

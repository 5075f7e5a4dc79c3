/* Whether two files are the same but for comments, spaces, line ends and macros' names. */
#pragma once

/* SHA-256, in hexadecimal, of the file's own tokens as the machine's C preprocessor leaves them: what it includes is
 * not among them. Of a text that is not preprocessed here (headers of another language's runtime) the tokens as they
 * are written. "" for a file that cannot be read. The preprocessor runs inside the walls and sees that file alone. */
void user_tokens_hash(const char *path, char hash[65]);

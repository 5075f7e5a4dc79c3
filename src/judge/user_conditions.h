/* Conditional compilation in a user's file, as far as it can be told without a preprocessor. */
#ifndef USKOR_JUDGE_USER_CONDITIONS_H
#define USKOR_JUDGE_USER_CONDITIONS_H

/* Blanks out what "#ifdef X", "#ifndef X", "#if defined(X)", "#if !defined(X)", "#if 0" and "#if 1" leave out, in a
 * text without comments (user_code.h). X is defined if the text defines it anywhere. Other conditions keep all
 * branches. */
void user_conditions_settle(char *lines);

#endif

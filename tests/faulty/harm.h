/* Shared by the files of the faulty driver. */
#ifndef USKOR_TESTS_FAULTY_HARM_H
#define USKOR_TESTS_FAULTY_HARM_H

/* Does what FAULT says where it names this place. */
void harm(const char *place);

#endif

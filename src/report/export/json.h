/* Numbers in JSON. */
#ifndef USKOR_REPORT_EXPORT_JSON_H
#define USKOR_REPORT_EXPORT_JSON_H

#include <jansson.h>

/* A number; what is not a number is null, what is infinite the word "infinite", as in exported lines. New. */
json_t *report_real(double value);

#endif

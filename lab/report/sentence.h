/* Sentences whose numbers are filled in: "{points} points more on {graphs} graphs". */
#ifndef LAB_REPORT_SENTENCE_H
#define LAB_REPORT_SENTENCE_H

#include "base/buf.h"

#include <stddef.h>

/* Appends the number that a name of n bytes stands for, and returns 1; or appends nothing and returns 0. */
typedef int sentence_number(const void *ctx, const char *name, size_t n, struct buf *out);

/* Returns the sentence with every {name} that `number` knows replaced. The caller frees it. */
char *sentence_filled(const char *text, sentence_number *number, const void *ctx);

#endif

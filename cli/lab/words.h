/* Lists with commas, as the values of a job have them: "ieca, opic , bfs". */
#ifndef CLI_LAB_WORDS_H
#define CLI_LAB_WORDS_H

#include <stddef.h>

/* A copy of n bytes of a text without the blanks around them. The caller frees it. */
char *words_trimmed(const char *text, size_t n);

/* Cuts a list at its commas: an array of *n texts and a NULL, which words_free() frees. */
char **words_cut(const char *text, size_t *n);
void words_free(char **words, size_t n);

#endif

/* Lists with commas, as the values of a job have them: "ieca, opic , bfs". */
#ifndef CLI_LAB_COMMA_LIST_H
#define CLI_LAB_COMMA_LIST_H

#include <stddef.h>

/* Returns a copy of n bytes of a text without the blanks around them. The caller frees it. */
char *comma_list_trimmed(const char *text, size_t n);

/* Cuts a list at its commas: an array of *n texts and a NULL, which comma_list_free() frees. */
char **comma_list_cut(const char *text, size_t *n);
void comma_list_free(char **part, size_t n);

#endif

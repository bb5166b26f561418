/* The flags that give the values of pages: --values, or --page-attrs and --p-unique. */
#ifndef CLI_LAB_PAGE_VALUES_H
#define CLI_LAB_PAGE_VALUES_H

#include "cli/flags/options.h"

struct value_options {
	const char *values, *page_attrs, *p_unique;
};

extern const struct flag value_flags[];

/* Says whether any of the flags was given. */
int value_options_given(const struct value_options *);

/* Reads the values of all pages into *value, and what stands for the value 1 into *one; *value is NULL if no flag was given. The
 * caller frees the values with free().
 * Without --page-attrs, --p-unique counts the uncrawled links that a store knows. Returns 0, ERR_USAGE if the flags do not
 * go together, or an error of seed_values_read() or attributes_read(). */
int value_options_read(const struct value_options *, const struct dataset *, int64_t **value, int64_t *one,
	struct err_note *why) MUST_USE;

#endif

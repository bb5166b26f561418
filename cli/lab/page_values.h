/* What pages are worth, as flags tell it: --values, or --page-attrs and --p-unique. */
#ifndef CLI_LAB_PAGE_VALUES_H
#define CLI_LAB_PAGE_VALUES_H

#include "cli/flags/options.h"

struct value_options {
	const char *values, *page_attrs, *p_unique;
};

extern const struct flag value_flags[];

int value_options_given(const struct value_options *); /* any of them */

/* In millionths, the caller's to free(); NULL where nothing was given. Without --page-attrs,
 * --p-unique counts the uncrawled links that a store knows of. ERR_USAGE where the flags do not go
 * together, or as seed_values_read() and attributes_read() say. */
int value_options_read(const struct value_options *, const struct dataset *, int64_t **value,
	struct err_note *why) MUST_USE;

#endif

#include "cli/lab/page_values.h"
#include "seeds/method.h"
#include "seeds/values.h"

#define VALUES(field) offsetof(struct value_options, field)
const struct flag value_flags[] = {
	{"values", 0, FLAG_TEXT, VALUES(values), "FILE", .help = "values of pages: id, TAB, value", .file = FLAG_READS},
	{"page-attrs", 0, FLAG_TEXT, VALUES(page_attrs), "FILE", .help = "or: id, TAB, spam, TAB, clicked, TAB, uncrawled links",
		.file = FLAG_READS},
	{"p-unique", 0, FLAG_TEXT, VALUES(p_unique), "FILE|P", .help = "value of an uncrawled link: 0 to 1, or a line a site",
		.file = FLAG_READS},
	{.name = NULL},
};

int value_options_given(const struct value_options *o)
{
	return o->values || o->page_attrs || o->p_unique;
}

int value_options_read(const struct value_options *o, const struct dataset *d, int64_t **value, int64_t *one, struct err_note *why)
{
	const struct attributes a = {.graph = &d->graph,
		.names = &d->names,
		.uncrawled = d->uncrawled,
		.pages = o->page_attrs,
		.p_unique = o->p_unique};

	*value = NULL;
	*one = SEED_VALUE_ONE;
	if (o->values && (o->page_attrs || o->p_unique))
		return err_set(why, ERR_USAGE, "--values cannot be given with --%s: it says all",
			o->page_attrs ? "page-attrs" : "p-unique");
	if (o->values)
		return seed_values_read(o->values, &d->graph, value, one, why);
	if (o->p_unique && !o->page_attrs && !d->uncrawled)
		return err_set(why, ERR_USAGE,
			"--p-unique: only a store knows which links are uncrawled; count them in "
			"--page-attrs");
	return o->page_attrs || o->p_unique ? attributes_read(&a, value, why) : 0;
}

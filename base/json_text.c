#include "base/json_text.h"
#include "base/err.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

json_t *json_text(const char *text)
{
	if (!text)
		return json_null();
	json_t *value = json_string(text);
	if (!value) {
		AUTO_FREE char *copy = mem_text(text);
		err_escape(copy);
		value = json_string(copy);
	}
	return value;
}

void json_put_count(json_t *object, const char *name, unsigned long long n)
{
	json_object_set_new(object, name, json_integer((json_int_t)n));
}

void json_put_counts(json_t *object, const struct named_count *count)
{
	for (; count->name; count++)
		json_put_count(object, count->name, count->n);
}

json_t *json_put_object(json_t *object, const char *name)
{
	json_object_set_new(object, name, json_object());
	return json_object_get(object, name);
}

json_t *json_put_array(json_t *object, const char *name)
{
	json_object_set_new(object, name, json_array());
	return json_object_get(object, name);
}

json_t *json_add_object(json_t *array)
{
	json_array_append_new(array, json_object());
	return json_array_get(array, json_array_size(array) - 1);
}

void json_put_real(json_t *object, const char *name, double real)
{
	json_object_set_new(object, name, isfinite(real) ? json_real(real) : json_null());
}

void json_put_text(json_t *object, const char *name, const char *text)
{
	json_object_set_new(object, name, json_text(text));
}

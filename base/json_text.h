/* Texts of the network as JSON values. */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include "base/cell.h"

#include <jansson.h>

/* Returns a text as a JSON string; bytes that are no UTF-8, and control characters beside them, become '?'. NULL becomes
 * null. The caller owns the value. */
json_t *json_text(const char *text);

/* Sets a member of an object to a whole number. */
void json_put_count(json_t *object, const char *name, unsigned long long n);

/* Sets members of an object to whole numbers: JSON_COUNTS(object, {"pages", 7}, {"hosts", 2}). */
void json_put_counts(json_t *object, const struct named_count *);
#define JSON_COUNTS(object, ...) json_put_counts(object, (const struct named_count[]){__VA_ARGS__, {NULL, 0}})

/* Sets a member of an object to an empty object, or to an empty array, and returns it; it belongs to the object. */
json_t *json_put_object(json_t *object, const char *name);
json_t *json_put_array(json_t *object, const char *name);

/* Adds an empty object to an array, and returns it; it belongs to the array. */
json_t *json_add_object(json_t *array);

/* Sets a member of an object to a number; one that is not finite becomes null. */
void json_put_real(json_t *object, const char *name, double real);

/* Sets a member of an object to json_text(text). */
void json_put_text(json_t *object, const char *name, const char *text);

#endif

/* Texts of the network as JSON values. */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include <jansson.h>

/* Returns a text as a JSON string; bytes that are no UTF-8, and control characters beside them, become '?'. NULL becomes
 * null. The caller owns the value. */
json_t *json_text(const char *text);

/* Sets a member of an object to a whole number. */
void json_put_count(json_t *object, const char *name, unsigned long long n);

/* Sets a member of an object to a number; one that is not finite becomes null. */
void json_put_real(json_t *object, const char *name, double real);

/* Sets a member of an object to json_text(text). */
void json_put_text(json_t *object, const char *name, const char *text);

#endif

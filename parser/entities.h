/* The named character references of HTML (13.5): "&amp;", "&eacute;" ... */
#ifndef PARSER_ENTITIES_H
#define PARSER_ENTITIES_H

#include <stddef.h>
#include <stdint.h>

enum entity_kind {
	ENTITY_NONE,  /* no reference has this name */
	ENTITY_FOUND, /* the reference needs its semicolon */
	ENTITY_LEGACY /* the reference is also valid without its semicolon */
};

/* Looks up a name of n bytes, without '&' and ';'; case matters. Unless the result is ENTITY_NONE,
 * code[0] is the reference's code point, and code[1] its second one or 0. Any thread may call. */
enum entity_kind entity_find(const char *name, size_t n, uint32_t code[2]);

#endif

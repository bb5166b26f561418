/* The named character references of HTML (13.5). */
#ifndef PARSER_ENTITIES_H
#define PARSER_ENTITIES_H

#include <stddef.h>
#include <stdint.h>

enum entity_kind {
	ENTITY_NONE,
	ENTITY_FOUND, /* with its semicolon only */
	ENTITY_LEGACY /* also without */
};

/* The one or two code points (code[1] is 0) of a name without '&' and ';'. */
enum entity_kind entity_find(const char *name, size_t n, uint32_t code[2]);

#endif

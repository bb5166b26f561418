#include "parser/authorization.h"
#include "base/ascii.h"
#include "base/base64.h"

#include <string.h>

static int has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 1;
	return 0;
}

int authorization_value(struct buf *value, const char *scheme, const char *secret)
{
	if (!*secret || has_control(secret))
		return 0;
	if (ascii_order(scheme, "basic") == 0 && strchr(secret, ':')) {
		buf_text(value, "Basic ");
		base64_add(value, secret, strlen(secret));
		return 1;
	}
	if (ascii_order(scheme, "bearer") == 0 && !strchr(secret, ' ')) {
		buf_text(value, "Bearer ");
		buf_text(value, secret);
		return 1;
	}
	return 0;
}

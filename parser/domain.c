#include "parser/domain.h"

#include <libpsl.h>
#include <string.h>

static int is_address(const char *host)
{
	return *host == '[' || !host[strspn(host, "0123456789.")];
}

size_t domain_start(const char *host, size_t n)
{
	char name[DOMAIN_HOST_MAX + 1];

	if (n > DOMAIN_HOST_MAX)
		return 0;
	memcpy(name, host, n);
	name[n] = 0;
	const char *domain = is_address(name) ? NULL : psl_registrable_domain(psl_builtin(), name);
	return domain ? (size_t)(domain - name) : 0;
}

#include "agents/bus_access.h"

#include <stdlib.h>

static void from(const char **field, const char *variable)
{
	const char *value = getenv(variable);

	if (!*field && value && *value)
		*field = value;
}

void bus_access_from_environment(struct bus_access *a)
{
	from(&a->creds, "NATS_CREDS");
	from(&a->nkey, "NATS_NKEY");
	from(&a->cacert, "NATS_CA");
	from(&a->cert, "NATS_CERT");
	from(&a->key, "NATS_KEY");
	from(&a->user, "NATS_USER");
	from(&a->password, "NATS_PASSWORD");
}

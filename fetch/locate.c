#include "fetch/locate.h"
#include "base/clock.h"
#include "fetch/connect_to.h"
#include "fetch/guard.h"
#include "fetch/proxies.h"

#include <string.h>

struct look {
	const struct guard *guard; /* NULL: anywhere */
	const struct url *url;
};

static int allows(void *ctx, const struct net_address *address)
{
	const struct look *v = ctx;

	return !v->guard || guard_allows(v->guard, address, v->url);
}

/* Says whether a host is spelt as an address. "::" is recognised by its colon, since its bytes are those of no address. */
static int is_literal(const struct connect_target *to, struct net_address *address)
{
	*address = net_address_read(to->host, to->n);
	return !net_address_is_none(address) || memchr(to->host, ':', to->n);
}

enum located locate(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *granted,
	struct spot *spot)
{
	struct name literal = {.standing = NAME_KNOWN, .n = 1};
	struct look look = {o->set.guard, u};
	struct connect_target to;

	*spot = (struct spot){.name = &literal};
	if (proxies_for(o->proxies, u))
		return LOCATE_HERE;
	const int is_led = connect_to_find(o->set.connect_to.at, u, &to);
	spot->port = to.port;
	if (!is_literal(&to, &literal.address[0]))
		spot->name = names_find(names, to.host, to.n, clock_ms());
	if (spot->name->standing == NAME_ASKED)
		return LOCATE_WAITS;
	spot->error = spot->name->standing == NAME_NONE ? spot->name->error : OUTCOME_PRIVATE;
	if (spot->name->standing == NAME_KNOWN && o->set.guard && !is_led)
		guard_learn(o->set.guard, u, spot->name->address, spot->name->n);
	if (spot->name->standing == NAME_NONE || !name_pick(spot->name, granted, allows, &look, &spot->at))
		return LOCATE_NOWHERE;
	spot->error = OUTCOME_NONE;
	return o->set.by_address && !net_address_equal(&spot->at, granted) ? LOCATE_ELSEWHERE : LOCATE_HERE;
}

int locate_other(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *failed)
{
	struct look look = {o->set.guard, u};
	struct net_address literal;
	struct connect_target to;

	connect_to_find(o->set.connect_to.at, u, &to);
	if (is_literal(&to, &literal))
		return 0;
	struct name *name = names_find(names, to.host, to.n, clock_ms());
	return name->standing == NAME_KNOWN && name_has_other(name, failed, allows, &look);
}

/* Who may ask the monitor. */
#include "base/ascii.h"
#include "crawler/monitor/monitor.h"
#include "base/num.h"

#include <arpa/inet.h>
#include <string.h>

/* Says whether a text is empty, or a colon and a port. */
static int is_port_part(const char *text)
{
	uint64_t port;

	return !*text || (*text == ':' && num_count(text + 1, 65535, &port) == 0);
}

/* Says whether the first n bytes of a text are an IPv4 address of this machine, 127.0.0.0/8, which can be no site's name. */
static int is_own_ipv4(const char *text, size_t n)
{
	char copy[INET_ADDRSTRLEN];
	struct in_addr address;

	if (n >= sizeof copy)
		return 0;
	memcpy(copy, text, n);
	copy[n] = '\0';
	return inet_pton(AF_INET, copy, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

int monitor_is_own_host(const char *host)
{
	static const char *const names[] = {"localhost", "[::1]"};
	const size_t length = host ? strcspn(host, ":") : 0;

	if (host && is_own_ipv4(host, length))
		return is_port_part(host + length);
	for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i]);
		if (ascii_same(host, names[i], n) && is_port_part(host + n))
			return 1;
	}
	return 0;
}

int monitor_is_own_origin(const char *origin, const char *host)
{
	static const char scheme[] = "http://";

	if (!origin)
		return 1;
	return host && ascii_same(origin, scheme, sizeof scheme - 1) && ascii_order(origin + sizeof scheme - 1, host) == 0;
}

int monitor_has_token(const char *authorization, const char *token)
{
	static const char bearer[] = "Bearer ";
	unsigned differs = 0;

	if (!authorization || !ascii_same(authorization, bearer, sizeof bearer - 1))
		return 0;
	const char *given = authorization + sizeof bearer - 1;
	const size_t n = strlen(given), wanted = strlen(token);
	for (size_t i = 0; i < n; i++)
		differs |= (unsigned)(given[i] ^ token[i < wanted ? i : 0]);
	return n == wanted && !differs;
}

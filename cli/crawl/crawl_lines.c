#include "cli/crawl/crawl_lines.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

static int has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 1;
	return 0;
}

/* Says whether the text up to `end` is a port, or empty. */
static int is_port(const char *text, const char *end)
{
	unsigned port = 0;

	for (; text < end; text++) {
		if (*text < '0' || *text > '9')
			return 0;
		port = 10 * port + (unsigned)(*text - '0');
		if (port > 65535)
			return 0;
	}
	return 1;
}

/* Says whether a rule has the form HOST:PORT:TO:PORT, where a host may be in brackets with colons of its own. */
static int has_ports(const char *rule)
{
	const char *host_end = *rule == '[' ? strchr(rule, ']') : rule;
	const char *port = host_end ? strchr(host_end, ':') : NULL;
	const char *to = port ? strchr(port + 1, ':') : NULL, *last = strrchr(rule, ':');

	return to && last > to && is_port(port + 1, to) && is_port(last + 1, rule + strlen(rule));
}

#define CACERT_MAX (16u << 20)

/* Refuses a file from which libcurl would read no certificate, and so trust no server. */
static int check_cacert(const char *path, struct err_note *why)
{
	static const char *const labels[] = {"-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
		"-----BEGIN X509 CERTIFICATE-----"};
	char *bytes;
	size_t n;
	int found = 0, err = input_all(path, CACERT_MAX, &bytes, &n, why);

	if (err)
		return err;
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		found |= memmem(bytes, n, labels[i], strlen(labels[i])) != NULL;
	free(bytes);
	return found ? 0 : err_set(why, ERR_FORMAT, "--cacert '%s': no certificate (PEM) is in it", path);
}

int crawl_lines_check(const struct flag_list *headers, const struct flag_list *connect_to, const char *user_agent,
	const char *cacert, struct err_note *why)
{
	for (size_t i = 0; i < headers->count; i++)
		if (has_control(headers->at[i]) || strcspn(headers->at[i], ":") == 0 || !strchr(headers->at[i], ':'))
			return err_set(why, ERR_USAGE, "--header '%s' is not of the form 'Name: value'", headers->at[i]);
	for (size_t i = 0; i < headers->count; i++)
		if (ascii_same(headers->at[i], "authorization:", 14) || ascii_same(headers->at[i], "cookie:", 7))
			log_say("a --header goes to every host: --auth and --load-cookies keep a secret to its own");
	for (size_t i = 0; i < connect_to->count; i++) {
		size_t colons = 0;
		for (const char *c = connect_to->at[i]; *c; c++)
			colons += *c == ':';
		if (colons < 3 || has_control(connect_to->at[i]) || !has_ports(connect_to->at[i]))
			return err_set(why, ERR_USAGE, "--connect-to '%s' is not of the form HOST:PORT:TO:PORT", connect_to->at[i]);
	}
	if (user_agent && has_control(user_agent))
		return err_set(why, ERR_USAGE, "--user-agent '%s' has a control character", user_agent);
	return cacert ? check_cacert(cacert, why) : 0;
}

/* A file of --host-settings. What is read has a text that is read again as the same settings, and a note never has a secret. */
#include "parser/host_settings.h"
#include "tests/fuzz/graph_input.h"

#include <stdlib.h>
#include <string.h>

static void check_host(const struct host_settings *a, const struct host_settings *b, const char *host)
{
	struct host_setting x, y;

	host_settings_for(a, host, strlen(host), &x);
	host_settings_for(b, host, strlen(host), &y);
	graph_input_require(x.delay == y.delay && x.parallel == y.parallel && x.max_pages == y.max_pages);
	graph_input_require(x.no_robots == y.no_robots && x.auth_over_http == y.auth_over_http);
	graph_input_require(!x.user_agent == !y.user_agent && !x.auth == !y.auth);
	graph_input_require(!x.auth || strcmp(x.auth, y.auth) == 0);
	graph_input_require(!x.accept_regex == !y.accept_regex && !x.reject_regex == !y.reject_regex);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct host_settings *h = host_settings_new(), *again = host_settings_new();
	struct err_note why = {""};
	char *text = strndup((const char *)bytes, n);
	struct buf manners = BUF_EMPTY, scope = BUF_EMPTY;

	graph_input_require(text != NULL);
	const int err = host_settings_read(h, "hosts", text, &why);
	graph_input_require(!err == !*why.text);
	if (!err) {
		host_settings_text(h, HOST_SETTINGS_MANNERS, &manners);
		host_settings_text(h, HOST_SETTINGS_SCOPE, &scope);
		graph_input_require(!host_settings_read(again, "manners", manners.at, &why));
		graph_input_require(!host_settings_read(again, "scope", scope.at, &why));
		check_host(h, again, "a.test");
		check_host(h, again, "www.a.test:8080");
		check_host(h, again, "[::1]");
	}
	buf_release(&manners);
	buf_release(&scope);
	host_settings_free(h);
	host_settings_free(again);
	free(text);
	return 0;
}

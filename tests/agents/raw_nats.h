/* What an operator does to a NATS server with tools of his own: bytes of the protocol, on a connection of their own. */
#ifndef TESTS_RAW_NATS_H
#define TESTS_RAW_NATS_H

#include "tests/test.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sends bytes of the protocol of NATS, and waits until the server has read them. */
static inline void say_to_server(const char *url, const char *text)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	char all[1200], answer[4096] = "";
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_port = htons((uint16_t)atoi(strrchr(url, ':') + 1));
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	const int n = snprintf(all, sizeof all, "CONNECT {\"verbose\":false,\"headers\":true}\r\n%s\r\nPING\r\n", text);
	assert_int_equal(write(fd, all, (size_t)n), n);
	for (size_t used = 0; !strstr(answer, "PONG") && used + 1 < sizeof answer;) {
		const ssize_t got = read(fd, answer + used, sizeof answer - 1 - used);
		assert_true(got > 0);
		used += (size_t)got;
	}
	assert_null(strstr(answer, "-ERR"));
	close(fd);
}

/* Deletes a key of the bucket as the tools of NATS do: by a message that says so. */
static inline void delete_key(const char *url, const char *key)
{
	static const char head[] = "NATS/1.0\r\nKV-Operation: DEL\r\n\r\n";
	char text[300];

	snprintf(text, sizeof text, "HPUB $KV.lycosa-test.%s %zu %zu\r\n%s", key, strlen(head), strlen(head), head);
	say_to_server(url, text);
}

/* Lets the stream of the logs take messages of so many bytes at most. */
static inline void limit_messages(const char *url, int most)
{
	char config[300], text[500];

	snprintf(config, sizeof config,
		"{\"name\":\"lycosa-test-log\",\"subjects\":[\"lycosa.test.log.*\"],\"retention\":\"limits\",\"storage\":\"file\","
		"\"num_replicas\":1,\"max_msg_size\":%d}",
		most);
	snprintf(text, sizeof text, "PUB $JS.API.STREAM.UPDATE.lycosa-test-log %zu\r\n%s", strlen(config), config);
	say_to_server(url, text);
}

#endif

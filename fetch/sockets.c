#include "fetch/sockets.h"
#include "base/clock.h"
#include "base/mem.h"

#include <netinet/in.h>
#include <linux/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

void sockets_init(struct sockets *s)
{
	memset(s, 0, sizeof *s);
	atomic_init(&s->since, 0);
	pthread_mutex_init(&s->lock, NULL);
}

void sockets_release(struct sockets *s)
{
	pthread_mutex_destroy(&s->lock);
	free(s->open);
}

static int on_open(void *ctx, curl_socket_t fd, curlsocktype purpose)
{
	struct sockets *s = ctx;

	(void)purpose;
	pthread_mutex_lock(&s->lock);
	s->open = mem_grow(s->open, &s->room, s->n + 1, sizeof *s->open);
	s->open[s->n++] = (struct open_socket){fd, 0};
	pthread_mutex_unlock(&s->lock);
	return CURL_SOCKOPT_OK;
}

static int on_close(void *ctx, curl_socket_t fd)
{
	struct sockets *s = ctx;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n; i++) {
		if (s->open[i].fd == fd) {
			s->open[i] = s->open[--s->n];
			break;
		}
	}
	const int failed = close(fd);
	pthread_mutex_unlock(&s->lock);
	return failed;
}

void sockets_watch(struct sockets *s, CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_open);
	curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, s);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, s);
}

void sockets_enter(struct sockets *s)
{
	atomic_store_explicit(&s->since, clock_ms(), memory_order_relaxed);
}

void sockets_leave(struct sockets *s)
{
	atomic_store_explicit(&s->since, 0, memory_order_relaxed);
}

static uint64_t bytes_heard(int fd)
{
	struct tcp_info info = {0};
	socklen_t n = sizeof info;

	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) ? 0 : info.tcpi_bytes_received;
}

/* Returns the socket that has received the most bytes since the last call, or NULL if none has received any. */
static struct open_socket *find_busiest(struct sockets *s)
{
	struct open_socket *busiest = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < s->n; i++) {
		const uint64_t heard = bytes_heard(s->open[i].fd);
		const uint64_t more = heard > s->open[i].heard ? heard - s->open[i].heard : 0;
		s->open[i].heard = heard;
		if (more > most) {
			most = more;
			busiest = &s->open[i];
		}
	}
	return busiest;
}

static int64_t used_ns(pthread_t thread)
{
	clockid_t clock;

	return pthread_getcpuclockid(thread, &clock) ? 0 : clock_read_ns(clock);
}

void sockets_unblock(struct sockets *s, pthread_t thread)
{
	const int64_t since = atomic_load_explicit(&s->since, memory_order_relaxed);
	const struct sockaddr nobody = {.sa_family = AF_UNSPEC};

	/* `since` has a resolution of a ms, so two short calls may look like one; a call that really holds the thread uses CPU
	 * time meanwhile */
	if (!since || (since == s->seen && used_ns(thread) - s->used_ns < SOCKETS_HELD_MS * 1000000))
		return;
	pthread_mutex_lock(&s->lock);
	struct open_socket *busiest = find_busiest(s);
	/* connect() to AF_UNSPEC resets the connection; shutdown() would leave the received data, and what still arrives, to be
	 * read. It is called by syscall(), since the thread sanitizer takes connect() for the creation of a descriptor and
	 * reports a race with the thread that reads. */
	if (busiest && since == s->seen)
		(void)!syscall(SYS_connect, busiest->fd, &nobody, sizeof nobody);
	pthread_mutex_unlock(&s->lock);
	s->seen = since;
	s->used_ns = used_ns(thread);
}

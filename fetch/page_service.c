#include "fetch/page_service.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

int page_service_new(struct page_service **out, size_t size, const char *what, const char *command, int64_t timeout,
	struct err_note *why)
{
	struct page_service *s = mem_zero(1, size);

	s->what = what;
	s->timeout = timeout;
	s->command = (struct user_command){.control = -1, .to = -1, .from = -1};
	pthread_mutex_init(&s->lock, NULL);
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	const int err = s->wake < 0 ? err_set(why, ERR_OTHER, "cannot start the %s: %s", what, ascii_error(errno))
				    : user_command_open(&s->command, what, command, why);
	if (err)
		page_service_free(s);
	*out = err ? NULL : s;
	return err;
}

int page_service_begin(struct page_service *s, void *(*run)(void *), size_t most, struct err_note *why)
{
	channel_init(&s->inbox, most);
	s->runs = pthread_create(&s->thread, NULL, run, s) == 0;
	if (!s->runs)
		channel_release(&s->inbox);
	return s->runs ? 0 : err_set(why, ERR_OTHER, "cannot start a thread");
}

void page_service_wake(const struct page_service *s)
{
	(void)!write(s->wake, &(const uint64_t){1}, sizeof(uint64_t));
}

void page_service_abort(struct page_service *s)
{
	int before = PAGES_GO_ON;

	if (!s)
		return;
	atomic_compare_exchange_strong(&s->orders, &before, PAGES_ABORT);
	page_service_wake(s);
}

void page_service_fail(struct page_service *s, const struct err_note *why)
{
	pthread_mutex_lock(&s->lock);
	s->is_failed = 1;
	s->failure = *why;
	pthread_mutex_unlock(&s->lock);
	page_service_abort(s);
}

int page_service_failed(struct page_service *s, struct err_note *why)
{
	if (!s)
		return 0;
	pthread_mutex_lock(&s->lock);
	const int err = s->is_failed ? ERR_OTHER : 0;
	if (err && why)
		*why = s->failure;
	pthread_mutex_unlock(&s->lock);
	return err;
}

void page_service_end(struct page_service *s)
{
	if (!s || !s->runs)
		return;
	atomic_store(&s->orders, PAGES_QUIT);
	page_service_wake(s);
	pthread_join(s->thread, NULL);
	s->ended(s);
	channel_release(&s->inbox);
	s->runs = 0;
}

void page_service_free(struct page_service *s)
{
	if (!s)
		return;
	user_command_close(&s->command);
	if (s->wake >= 0)
		close(s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

#include "tests/test.h"

#include "base/clock.h"
#include "fetch/channel.h"

static void items_come_out_in_the_order_they_went_in(void **state)
{
	int item[5];
	void *got;
	struct channel c;

	(void)state;
	channel_init(&c, 3);
	assert_int_equal(channel_take(&c, &got), 0);
	for (int round = 0; round < 4; round++) { /* around the ring's end */
		channel_put(&c, &item[0]);
		channel_put(&c, &item[1]);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(channel_take(&c, &got), 1);
			assert_ptr_equal(got, &item[i]);
		}
	}
	channel_release(&c);
}

static void a_taker_that_waits_elsewhere_is_woken_once(void **state)
{
	int item;
	void *got;
	struct channel c;

	(void)state;
	channel_init(&c, 4);
	assert_int_equal(channel_put(&c, &item), 0);
	assert_int_equal(channel_will_wait(&c), 0); /* there is something to take */
	assert_int_equal(channel_put(&c, &item), 0);
	assert_int_equal(channel_take(&c, &got), 1);
	assert_int_equal(channel_take(&c, &got), 1);
	assert_int_equal(channel_will_wait(&c), 1);
	assert_int_equal(channel_put(&c, &item), 1);
	assert_int_equal(channel_put(&c, &item), 0);
	assert_int_equal(channel_take(&c, &got), 1);
	assert_int_equal(channel_take(&c, &got), 1);
	assert_int_equal(channel_will_wait(&c), 1);
	assert_int_equal(channel_take(&c, &got), 0); /* awake again */
	assert_int_equal(channel_put(&c, &item), 0);
	assert_int_equal(channel_take(&c, &got), 1);
	channel_release(&c);
}

static void waiting_ends_at_its_time(void **state)
{
	int item;
	void *got;
	struct channel c;
	int64_t before = clock_ms();

	(void)state;
	channel_init(&c, 1);
	assert_int_equal(channel_wait(&c, &got, before + 50), 0);
	assert_true(clock_ms() - before >= 50);
	assert_int_equal(channel_wait(&c, &got, INT64_MIN), 0);
	channel_put(&c, &item);
	assert_int_equal(channel_wait(&c, &got, 0), 1);
	channel_release(&c);
}

#define PUTTERS 4
#define ITEMS   5000

struct putter {
	pthread_t thread;
	struct channel *c;
	uint32_t item[ITEMS];
};

static void *put_all(void *ctx)
{
	struct putter *p = ctx;

	for (uint32_t i = 0; i < ITEMS; i++) {
		p->item[i] = i;
		channel_put(p->c, &p->item[i]);
	}
	return NULL;
}

static void many_threads_lose_nothing(void **state)
{
	static struct putter p[PUTTERS];
	struct channel c;
	unsigned next[PUTTERS] = {0};
	void *got;

	(void)state;
	channel_init(&c, PUTTERS * ITEMS);
	for (int i = 0; i < PUTTERS; i++) {
		p[i].c = &c;
		assert_int_equal(pthread_create(&p[i].thread, NULL, put_all, &p[i]), 0);
	}
	for (int k = 0; k < PUTTERS * ITEMS; k++) {
		assert_int_equal(channel_wait(&c, &got, INT64_MAX), 1);
		unsigned from = 0;
		while ((uint32_t *)got < p[from].item || (uint32_t *)got >= p[from].item + ITEMS)
			from++;
		assert_int_equal(*(uint32_t *)got, next[from]++); /* each one's in order */
	}
	for (int i = 0; i < PUTTERS; i++)
		pthread_join(p[i].thread, NULL);
	assert_int_equal(channel_take(&c, &got), 0);
	channel_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_come_out_in_the_order_they_went_in),
		cmocka_unit_test(a_taker_that_waits_elsewhere_is_woken_once),
		cmocka_unit_test(waiting_ends_at_its_time),
		cmocka_unit_test(many_threads_lose_nothing),
	};

	return cmocka_run_group_tests_name("channel", tests, NULL, NULL);
}

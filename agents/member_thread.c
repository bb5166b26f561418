#include "agents/member_parts.h"
#include "agents/charter.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ADDRESSES_MOST 64   /* keys of addresses that are written together */
#define LOG_TROUBLE_MS 4000 /* a log that fails for so long, while the news are written, is spoken of */
#define DEAF_MS        6000 /* no change seen for so long, not even of the own news: the bus is repaired */

void member_pause(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* --- changes of the bucket */

/* News that come a second time, since the watching began anew, say nothing of the agent's lease. */
static void take_news(struct member *m, unsigned agent, uint64_t revision)
{
	struct news *n = mem_new(1, sizeof *n);

	if (revision > m->agent_revision[agent] && !news_read(n, m->text.at, m->text.used)) {
		m->agent_revision[agent] = revision;
		pthread_mutex_lock(&m->lock);
		m->s.is_alive[agent] = m->s.heard[agent] != 0;
		m->s.news[agent] = *n;
		m->s.heard[agent] = clock_boot_ms();
		leases_heard(m->s.leases, agent, revision, n->has_left || n->is_gone, m->s.heard[agent]);
		pthread_mutex_unlock(&m->lock);
	}
	free(n);
}

static void take_state(struct member *m, uint64_t revision)
{
	const int state = member_state_of(m->text.at ? m->text.at : "", m->text.used);

	m->state_revision = revision;
	if (state < 0)
		return;
	pthread_mutex_lock(&m->lock);
	m->s.state = (enum member_state)state;
	pthread_mutex_unlock(&m->lock);
}

/* Appends a new text of seeds; a text of an earlier revision is ignored, since a watch that begins again shows all keys again. */
static void take_seeds(struct member *m, uint64_t revision)
{
	if (revision <= m->s.seeds_revision)
		return;
	pthread_mutex_lock(&m->lock);
	m->s.seeds_revision = revision;
	buf_add(&m->s.seeds, m->text.at, m->text.used);
	if (m->text.used && m->text.at[m->text.used - 1] != '\n')
		buf_byte(&m->s.seeds, '\n');
	pthread_mutex_unlock(&m->lock);
}

/* Takes all changes of keys in the bucket that have arrived: news of agents, entries of the address book, the state of the crawl,
 * seeds, and the table of owners. */
static int take_changes(struct member *m, struct err_note *why)
{
	uint64_t revision;
	int got;

	while ((got = bus_changed(m->bus, &m->key, &m->text, &revision, why)) > 0) {
		m->changed = clock_boot_ms();
		if (strncmp(m->key.at, "agent.", 6) == 0) {
			const unsigned agent = roster_find(&m->roster, m->key.at + 6);
			if (agent != ROSTER_NONE)
				take_news(m, agent, revision);
		} else if (strncmp(m->key.at, BOOK_KEY, strlen(BOOK_KEY)) == 0) {
			pthread_mutex_lock(&m->lock);
			book_learn(m->s.book, m->key.at, m->text.at ? m->text.at : "", m->text.used, revision, clock_boot_ms());
			pthread_mutex_unlock(&m->lock);
		} else if (strcmp(m->key.at, "state") == 0) {
			take_state(m, revision);
		} else if (strncmp(m->key.at, CHARTER_SEEDS, strlen(CHARTER_SEEDS)) == 0) {
			take_seeds(m, revision);
		} else {
			(void)member_take_shares(m, revision);
		}
	}
	return got;
}

void member_write_state(struct member *m)
{
	struct err_note why;

	pthread_mutex_lock(&m->lock);
	const int wanted = m->s.wants_state;
	m->s.wants_state = -1;
	pthread_mutex_unlock(&m->lock);
	if (wanted < 0)
		return;
	const char *word = member_state_word((enum member_state)wanted);
	if (bus_set(m->bus, "state", word, strlen(word), &m->state_revision, &why) <= 0) {
		pthread_mutex_lock(&m->lock);
		m->s.wants_state = wanted;
		pthread_mutex_unlock(&m->lock);
		(void)!bus_get(m->bus, "state", &m->text, &m->state_revision, &why);
		member_pause(MEMBER_AGAIN_MS);
	}
}

/* --- addresses */

/* Finds keys that are to be written now, at most ADDRESSES_MOST. Returns their number. */
static size_t next_addresses(struct member *m, struct book_write *writes, struct bus_value *values)
{
	size_t n = 0;

	pthread_mutex_lock(&m->lock);
	while (n < ADDRESSES_MOST && book_next(m->s.book, clock_boot_ms(), m->s.leases, &writes[n]))
		n++;
	pthread_mutex_unlock(&m->lock);
	for (size_t i = 0; i < n; i++)
		values[i] = (struct bus_value){.key = writes[i].key,
			.bytes = writes[i].text,
			.n = strlen(writes[i].text),
			.revision = writes[i].revision};
	return n;
}

/* Reads the key of an address that the bucket refuses again and again. */
static int look_at_address(struct member *m, const char *key, struct err_note *why)
{
	uint64_t revision;
	const int got = bus_get(m->bus, key, &m->text, &revision, why);

	if (got < 0)
		return got;
	pthread_mutex_lock(&m->lock);
	book_learn(m->s.book, key, got ? m->text.at : "", got ? m->text.used : 0, revision, clock_boot_ms());
	pthread_mutex_unlock(&m->lock);
	return 0;
}

static int write_addresses(struct member *m, struct err_note *why)
{
	struct book_write writes[ADDRESSES_MOST];
	struct bus_value values[ADDRESSES_MOST];
	size_t n;
	int err = 0;

	while (!err && member_is_sure(m) && (n = next_addresses(m, writes, values)) > 0) {
		const char *doubtful = NULL; /* others have their turn later */
		err = bus_set_all(m->bus, values, n, why);
		pthread_mutex_lock(&m->lock);
		for (size_t i = 0; i < n; i++) {
			writes[i].revision = values[i].revision;
			/* a lease that was lost meanwhile gives nothing */
			if (book_wrote(m->s.book, &writes[i], member_is_sure(m) ? values[i].result : ERR_UNREACHABLE,
				    clock_boot_ms()))
				doubtful = writes[i].key;
		}
		pthread_mutex_unlock(&m->lock);
		if (!err && doubtful)
			err = look_at_address(m, doubtful, why);
	}
	return err;
}

/* --- the loop */

int member_listen(struct member *m, struct err_note *why)
{
	const int err = bus_watch(m->bus, ">", why), also = bus_listen(m->bus, m->roster.id[m->self], why);

	m->changed = clock_boot_ms();
	m->listened = m->received;
	pthread_mutex_lock(&m->lock);
	leases_listen(m->s.leases, m->changed);
	m->s.is_urgent = 1; /* the next news are a mark of what the watch has shown */
	pthread_mutex_unlock(&m->lock);
	return err ? err : also;
}

/* Writes and reads logs. If the server cannot be reached at all, member_note_contact() tells the user so. If only the logs fail,
 * the user is told here, once, since letters and pages wait for the logs. */
static int tend_logs(struct member *m, struct err_note *why)
{
	const int64_t now = clock_boot_ms();
	int err = member_write_logs(m, why);

	if (!err)
		err = member_read_logs(m, why);
	if (!err) {
		if (m->is_log_trouble_told)
			log_say("the logs of partitions are written and read again");
		m->log_trouble = m->is_log_trouble_told = 0;
		return 0;
	}
	if (!m->log_trouble)
		m->log_trouble = now;
	if (!m->is_log_trouble_told && !m->is_cut_off && now - m->log_trouble > LOG_TROUBLE_MS) {
		log_say("%s; this is tried again, and what waits for it is not lost", why->text);
		m->is_log_trouble_told = 1;
	}
	return err;
}

void *member_run(void *member)
{
	struct member *m = member;
	struct err_note why = {""};

	while (!atomic_load(&m->stops)) {
		member_keep_lease(m);
		int err = take_changes(m, &why);
		member_write_state(m);
		if (!err)
			err = write_addresses(m, &why);
		if (!err)
			err = member_write_shares(m, &why);
		if (!err)
			err = member_send_all(m, &why);
		member_acknowledge_all(m);
		if (!err)
			err = tend_logs(m, &why);
		if (!err)
			err = member_receive(m, &why);
		/* a server that was started again has forgotten who watches */
		if (!atomic_load(&m->stops) && (err || clock_boot_ms() - m->changed > DEAF_MS)) {
			member_pause(MEMBER_AGAIN_MS);
			err = member_listen(m, &why);
			if (err)
				member_note_contact(m, err, &why);
		}
	}
	return NULL;
}

#include "cli/export/export_table.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- a table writer whose rows another thread writes. The caller's thread copies rows into a batch; the writing thread has the
 * batch before. They share `busy`, `stopping`, `err` and `note`, under the lock; the batch that is being written belongs to the
 * writing thread as long as `busy` is 1, and so does the writer inside.
 *
 *	row        the batch grows; if it is large and the other thread is idle, they change batches
 *	flush      waits until the other thread is idle, then they change batches
 *	begin, remark, close, abandon
 *	           wait until all rows are written, and are calls of the caller's thread */

#define BATCH_BYTES \
	((size_t)256 << 10) /* of texts and cells, after which a batch is handed over without waiting for table_flush() */

/* Rows with their texts. The cell of a text has its offset in `texts` in the place of its count. */
struct batch {
	struct cell *cell;
	size_t cells, room;
	struct buf texts;
};

struct thread_writer {
	struct table_writer base;
	struct table_writer *inside;
	struct batch filling, writing;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int busy;     /* 1: the thread has a batch to write */
	int stopping; /* 1: the thread is to end */
	int err;      /* the first failure; no later row is written */
	struct err_note note;
};

static struct thread_writer *self(struct table_writer *w)
{
	return (struct thread_writer *)w;
}

static int write_batch(struct thread_writer *t, struct err_note *why)
{
	struct batch *b = &t->writing;
	const size_t columns = t->inside->table->columns;
	int err = 0;

	for (size_t i = 0; i < b->cells; i++)
		if (b->cell[i].kind == CELL_TEXT)
			b->cell[i].text = b->texts.at + b->cell[i].count;
	for (size_t i = 0; i < b->cells && !err; i += columns)
		err = table_row(t->inside, b->cell + i, why);
	b->cells = 0;
	buf_clear(&b->texts);
	return err ? err : table_flush(t->inside, why);
}

static void *write_batches(void *ctx)
{
	struct thread_writer *t = ctx;
	struct err_note note;

	pthread_mutex_lock(&t->lock);
	for (;;) {
		while (!t->busy && !t->stopping)
			pthread_cond_wait(&t->changed, &t->lock);
		if (!t->busy)
			break;
		pthread_mutex_unlock(&t->lock);
		const int err = write_batch(t, &note);
		pthread_mutex_lock(&t->lock);
		if (err) {
			t->err = err;
			t->note = note;
		}
		t->busy = 0;
		pthread_cond_signal(&t->changed);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* Hands the batch over, if it has rows and nothing has failed. The thread is idle, and the lock is held. */
static void hand_over(struct thread_writer *t)
{
	const struct batch filled = t->filling;

	if (!filled.cells || t->err)
		return;
	t->filling = t->writing;
	t->writing = filled;
	t->busy = 1;
	pthread_cond_signal(&t->changed);
}

/* Waits until the thread is idle. Returns 0 or the failure. The lock is held. */
static int wait_for(struct thread_writer *t, struct err_note *why)
{
	while (t->busy)
		pthread_cond_wait(&t->changed, &t->lock);
	if (t->err && why)
		*why = t->note;
	return t->err;
}

static int thread_flush(struct table_writer *w, struct err_note *why)
{
	struct thread_writer *t = self(w);

	pthread_mutex_lock(&t->lock);
	const int err = wait_for(t, why);
	hand_over(t);
	pthread_mutex_unlock(&t->lock);
	return err;
}

/* Waits until all rows are written. */
static int write_all(struct thread_writer *t, struct err_note *why)
{
	TRY(thread_flush(&t->base, why));
	return thread_flush(&t->base, why);
}

static int thread_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	struct thread_writer *t = self(w);
	struct batch *b = &t->filling;
	const size_t columns = w->table->columns;
	int err = 0;

	b->cell = mem_grow(b->cell, &b->room, b->cells + columns, sizeof *b->cell);
	struct cell *row = b->cell + b->cells;
	memcpy(row, cells, columns * sizeof *row);
	b->cells += columns;
	for (size_t i = 0; i < columns; i++)
		if (row[i].kind == CELL_TEXT) {
			row[i].count = b->texts.used;
			buf_add(&b->texts, row[i].text, row[i].n);
		}
	if (b->texts.used + b->cells * sizeof *b->cell < BATCH_BYTES)
		return 0;
	pthread_mutex_lock(&t->lock);
	if (!t->busy) {
		err = wait_for(t, why);
		hand_over(t);
	}
	pthread_mutex_unlock(&t->lock);
	return err;
}

static int thread_begin(struct table_writer *w, struct err_note *why)
{
	TRY(write_all(self(w), why));
	return table_begin(self(w)->inside, w->table, why);
}

static int thread_remark(struct table_writer *w, const char *topic, const char *text, struct err_note *why)
{
	TRY(write_all(self(w), why));
	return table_remark(self(w)->inside, topic, text, why);
}

static void end_thread(struct thread_writer *t)
{
	pthread_mutex_lock(&t->lock);
	t->stopping = 1;
	pthread_cond_signal(&t->changed);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	free(t->filling.cell);
	free(t->writing.cell);
	buf_release(&t->filling.texts);
	buf_release(&t->writing.texts);
	free(t);
}

static void thread_abandon(struct table_writer *w)
{
	struct table_writer *inside = self(w)->inside;

	end_thread(self(w));
	table_abandon(inside);
}

static int thread_close(struct table_writer *w, struct err_note *why)
{
	struct table_writer *inside = self(w)->inside;
	const int err = write_all(self(w), why);

	end_thread(self(w));
	if (!err)
		return table_close(inside, why);
	table_abandon(inside);
	return err;
}

static const struct table_form_ops table_thread = {.begin = thread_begin,
	.row = thread_row,
	.remark = thread_remark,
	.flush = thread_flush,
	.close = thread_close,
	.abandon = thread_abandon};

/* Returns a writer that copies rows, and writes them with `inside`, which it takes over, in a thread of its own. A
 * failure to write rows is returned by a later call. */
static struct table_writer *table_in_thread(struct table_writer *inside)
{
	struct thread_writer *t = mem_zero(1, sizeof *t);

	t->base.ops = &table_thread;
	t->inside = inside;
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->changed, NULL);
	if (pthread_create(&t->thread, NULL, write_batches, t) == 0)
		return &t->base;
	pthread_cond_destroy(&t->changed);
	pthread_mutex_destroy(&t->lock);
	free(t);
	return inside; /* without a second thread it takes longer */
}

/* --- any table */

int table_open(struct table_writer **out, enum table_form form, const char *path, struct err_note *why)
{
	static const struct table_form_ops *const ops[] = {[TABLE_CSV] = &table_csv,
		[TABLE_SHEET] = &table_sheet,
		[TABLE_JSONL] = &table_jsonl,
		[TABLE_SQLITE] = &table_sqlite};

	*out = NULL;
	TRY(ops[form]->open(out, path, why));
	(*out)->ops = ops[form];
	if (form == TABLE_SQLITE)
		*out = table_in_thread(*out);
	return 0;
}

int table_begin(struct table_writer *w, const struct table *table, struct err_note *why)
{
	w->table = table;
	return w->ops->begin(w, why);
}

int table_row(struct table_writer *w, const struct cell *cells, struct err_note *why)
{
	return w->ops->row(w, cells, why);
}

int table_remark(struct table_writer *w, const char *topic, const char *text, struct err_note *why)
{
	return w->ops->remark ? w->ops->remark(w, topic, text, why) : 0;
}

int table_flush(struct table_writer *w, struct err_note *why)
{
	return w->ops->flush(w, why);
}

int table_close(struct table_writer *w, struct err_note *why)
{
	return w->ops->close(w, why);
}

void table_abandon(struct table_writer *w)
{
	if (w)
		w->ops->abandon(w);
}

#include "config.h"

#include "base/unzstd.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>

#define DICTIONARY_FRAME 0x184d2a5du
#define DICTIONARY_MOST  ((size_t)64 << 20) /* bytes, packed and unpacked */
#define FRAME_HEAD       8                  /* the magic number of a skippable frame, and its size */

struct unzstd {
	ZSTD_DCtx *context;
	gunzip_source *source;
	void *ctx;
	ZSTD_inBuffer in;
	struct buf first; /* the dictionary's frame, while it is read */
	int has_begun;    /* the stream */
	int is_within;    /* a frame of the stream */
};

static uint32_t word(const char *at)
{
	return (uint32_t)(unsigned char)at[0] | (uint32_t)(unsigned char)at[1] << 8 | (uint32_t)(unsigned char)at[2] << 16 |
		(uint32_t)(unsigned char)at[3] << 24;
}

int unzstd_detect(const void *bytes, size_t n)
{
	return n >= 4 &&
		(word(bytes) == ZSTD_MAGICNUMBER || (word(bytes) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START);
}

void unzstd_new(struct unzstd **out, gunzip_source *source, void *ctx)
{
	struct unzstd *z = *out = mem_zero(1, sizeof *z);

	z->context = ZSTD_createDCtx();
	if (!z->context)
		mem_exhausted();
	z->source = source;
	z->ctx = ctx;
}

void unzstd_free(struct unzstd *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->context);
	buf_release(&z->first);
	free(z);
}

/* Unpacks one frame into *out, with the dictionary that the context has. Returns its packed length, or 0. */
static size_t unpack(ZSTD_DCtx *context, const char *bytes, size_t n, size_t most, struct buf *out)
{
	ZSTD_inBuffer in = {bytes, n, 0};
	size_t left = 1;

	buf_clear(out);
	ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
	for (size_t room = 1u << 16; left && out->used <= most; room = out->used) {
		const size_t before = in.pos;
		ZSTD_outBuffer to = {buf_room(out, room), room, 0};
		left = ZSTD_decompressStream(context, &to, &in);
		out->used += to.pos;
		if (ZSTD_isError(left) || (left && !to.pos && in.pos == before) || (left && in.pos == n && to.pos < room))
			return 0;
	}
	buf_end(out);
	return out->used <= most ? in.pos : 0;
}

/* Takes the dictionary of its frame. Returns 0, or -1 if it is none. */
static int load(struct unzstd *z, const char *frame, size_t n)
{
	const char *at = frame + FRAME_HEAD;
	struct buf unpacked = BUF_EMPTY;
	size_t size = n - FRAME_HEAD, code = 1;

	ZSTD_DCtx_reset(z->context, ZSTD_reset_session_and_parameters);
	if (size >= 4 && word(at) == ZSTD_MAGICNUMBER && unpack(z->context, at, size, DICTIONARY_MOST, &unpacked)) {
		at = unpacked.at;
		size = unpacked.used;
	}
	ZSTD_DCtx_reset(z->context, ZSTD_reset_session_only);
	if (size >= 4 && word(at) == ZSTD_MAGIC_DICTIONARY)
		code = ZSTD_DCtx_loadDictionary(z->context, at, size);
	buf_release(&unpacked);
	return code ? -1 : 0;
}

size_t unzstd_frame(struct unzstd *z, const char *bytes, size_t n, size_t most, struct buf *out)
{
	if (n < FRAME_HEAD || (word(bytes) & ZSTD_MAGIC_SKIPPABLE_MASK) != ZSTD_MAGIC_SKIPPABLE_START)
		return unpack(z->context, bytes, n, most, out);
	const size_t size = word(bytes + 4);
	buf_clear(out);
	if (size > n - FRAME_HEAD ||
		(word(bytes) == DICTIONARY_FRAME && (size > DICTIONARY_MOST || load(z, bytes, size + FRAME_HEAD))))
		return 0;
	return size + FRAME_HEAD;
}

/* Reads more packed bytes if none are left. Returns 1 if there is one, 0 at the end of the file, or an error. */
static int refill(struct unzstd *z, struct err_note *why)
{
	if (z->in.pos < z->in.size)
		return 1;
	const int got = z->source(z->ctx, &z->in.src, &z->in.size, why);
	z->in.pos = 0;
	if (got <= 0)
		z->in.size = 0;
	return got;
}

/* Reads the frame of the dictionary, if the stream begins with one. Returns 0 or an error. */
static int begin(struct unzstd *z, const char *path, struct err_note *why)
{
	int got;

	while ((got = refill(z, why)) > 0) {
		const size_t want = z->first.used < FRAME_HEAD ? FRAME_HEAD : FRAME_HEAD + (size_t)word(z->first.at + 4);
		const size_t left = z->in.size - z->in.pos, n = want - z->first.used < left ? want - z->first.used : left;
		if (!z->first.used && left >= 4 && word((const char *)z->in.src + z->in.pos) != DICTIONARY_FRAME)
			break;
		if (want > DICTIONARY_MOST)
			return err_set(why, ERR_FORMAT, "cannot unpack '%s': its zstd dictionary has %zu bytes", path, want);
		buf_add(&z->first, (const char *)z->in.src + z->in.pos, n);
		z->in.pos += n;
		if (z->first.used == want && want > FRAME_HEAD)
			break;
	}
	z->has_begun = 1;
	if (got >= 0 && z->first.used && (!got || load(z, z->first.at, z->first.used)))
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': its zstd dictionary is damaged or cut short", path);
	buf_release(&z->first);
	return got < 0 ? got : 0;
}

int unzstd_read(struct unzstd *z, char *bytes, size_t room, size_t *n, const char *path, struct err_note *why)
{
	ZSTD_outBuffer out = {bytes, room, 0};
	int got = z->has_begun ? 0 : begin(z, path, why);

	while (!got && !out.pos) {
		got = refill(z, why);
		if (got <= 0)
			return got || !z->is_within
				? got
				: err_set(why, ERR_FORMAT, "cannot unpack '%s': the zstd data are cut short", path);
		const size_t left = ZSTD_decompressStream(z->context, &out, &z->in);
		got = 0;
		if (ZSTD_isError(left) && strstr(ZSTD_getErrorName(left), "Dictionary"))
			return err_set(why, ERR_FORMAT,
				"cannot unpack '%s': it was packed by zstd with a dictionary that is not in it; unpack it with 'zstd -d -D DICTIONARY' first",
				path);
		if (ZSTD_isError(left))
			return err_set(why, ERR_FORMAT, "cannot unpack '%s': the zstd data are damaged: %s", path,
				ZSTD_getErrorName(left));
		z->is_within = left != 0;
	}
	*n = out.pos;
	return got < 0 ? got : 1;
}

int zstd_is_there(void)
{
	return 1;
}

struct zstd_packer {
	ZSTD_CCtx *context;
};

size_t zstd_pack(struct zstd_packer **packer, int level, const char *bytes, size_t n, struct buf *out)
{
	struct zstd_packer *p = *packer ? *packer : mem_zero(1, sizeof *p);
	const size_t bound = ZSTD_compressBound(n);

	*packer = p;
	if (!p->context && (p->context = ZSTD_createCCtx()) == NULL)
		mem_exhausted();
	ZSTD_CCtx_setParameter(p->context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(p->context, ZSTD_c_checksumFlag, 1);
	const size_t size = ZSTD_compress2(p->context, buf_room(out, bound), bound, bytes, n);
	if (ZSTD_isError(size))
		mem_exhausted(); /* nothing else can fail */
	out->used += size;
	buf_end(out);
	return size;
}

void zstd_packer_free(struct zstd_packer *p)
{
	if (p)
		ZSTD_freeCCtx(p->context);
	free(p);
}

#else

int zstd_is_there(void)
{
	return 0;
}

size_t zstd_pack(struct zstd_packer **packer, int level, const char *bytes, size_t n, struct buf *out)
{
	(void)packer;
	(void)level;
	(void)bytes;
	(void)n;
	(void)out;
	return 0;
}

void zstd_packer_free(struct zstd_packer *p)
{
	(void)p;
}

int unzstd_detect(const void *bytes, size_t n)
{
	(void)bytes;
	(void)n;
	return 0;
}

void unzstd_new(struct unzstd **z, gunzip_source *source, void *ctx)
{
	(void)source;
	(void)ctx;
	*z = NULL;
}

void unzstd_free(struct unzstd *z)
{
	(void)z;
}

int unzstd_read(struct unzstd *z, char *bytes, size_t room, size_t *n, const char *path, struct err_note *why)
{
	(void)z;
	(void)bytes;
	(void)room;
	*n = 0;
	return err_set(why, ERR_FORMAT, "cannot unpack '%s': this program is built without libzstd", path);
}

size_t unzstd_frame(struct unzstd *z, const char *bytes, size_t n, size_t most, struct buf *out)
{
	(void)z;
	(void)bytes;
	(void)n;
	(void)most;
	(void)out;
	return 0;
}
#endif

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

struct unzstd *unzstd_new(void)
{
	struct unzstd *z = mem_zero(1, sizeof *z);

	z->context = ZSTD_createDCtx();
	if (!z->context)
		mem_exhausted();
	return z;
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
	AUTO(buf) unpacked = BUF_EMPTY;
	size_t size = n - FRAME_HEAD, code = 1;

	ZSTD_DCtx_reset(z->context, ZSTD_reset_session_and_parameters);
	if (size >= 4 && word(at) == ZSTD_MAGICNUMBER && unpack(z->context, at, size, DICTIONARY_MOST, &unpacked)) {
		at = unpacked.at;
		size = unpacked.used;
	}
	ZSTD_DCtx_reset(z->context, ZSTD_reset_session_only);
	if (size >= 4 && word(at) == ZSTD_MAGIC_DICTIONARY)
		code = ZSTD_DCtx_loadDictionary(z->context, at, size);
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

/* Returns how long the frame at the beginning is, of which `first` has a part. */
static size_t wanted(const struct unzstd *z)
{
	return z->first.used < FRAME_HEAD ? FRAME_HEAD : FRAME_HEAD + (size_t)word(z->first.at + 4);
}

/* Takes more of the frame of the dictionary, if the stream begins with one. */
static int begin(struct unzstd *z, ZSTD_inBuffer *in, const char *path, struct err_note *why)
{
	int code = 0;

	if (!z->first.used && in->size >= 4 && word(in->src) != DICTIONARY_FRAME) {
		z->has_begun = 1;
		return 0;
	}
	if (wanted(z) > DICTIONARY_MOST)
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': its zstd dictionary has %zu bytes", path, wanted(z));
	in->pos = wanted(z) - z->first.used < in->size ? wanted(z) - z->first.used : in->size;
	buf_add(&z->first, in->src, in->pos);
	if (z->first.used >= FRAME_HEAD && z->first.used == wanted(z)) {
		code = load(z, z->first.at, z->first.used);
		z->has_begun = !code;
	}
	return code ? unzstd_end(z, path, why) : 0;
}

int unzstd_step(struct unzstd *z, const char **packed, size_t *packed_n, char *bytes, size_t room, size_t *n, const char *path,
	struct err_note *why)
{
	ZSTD_outBuffer out = {bytes, room, 0};
	ZSTD_inBuffer in = {*packed, *packed_n, 0};
	const int err = z->has_begun ? 0 : begin(z, &in, path, why);
	const size_t left =
		!err && z->has_begun && in.pos < in.size ? ZSTD_decompressStream(z->context, &out, &in) : (size_t)z->is_within;

	if (err)
		return err;
	if (ZSTD_isError(left) && strstr(ZSTD_getErrorName(left), "Dictionary"))
		return err_set(why, ERR_FORMAT,
			"cannot unpack '%s': it was packed by zstd with a dictionary that is not in it; unpack it with 'zstd -d -D DICTIONARY' first",
			path);
	if (ZSTD_isError(left))
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': the zstd data are damaged: %s", path, ZSTD_getErrorName(left));
	z->is_within = left != 0;
	*packed += in.pos;
	*packed_n -= in.pos;
	*n = out.pos;
	return 0;
}

int unzstd_end(const struct unzstd *z, const char *path, struct err_note *why)
{
	if (!z->has_begun && z->first.used)
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': its zstd dictionary is damaged or cut short", path);
	return z->is_within ? err_set(why, ERR_FORMAT, "cannot unpack '%s': the zstd data are cut short", path) : 0;
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
	(void)packer, (void)level;
	buf_add(out, bytes, n);
	return n;
}

void zstd_packer_free(struct zstd_packer *p)
{
	(void)p;
}

int unzstd_detect(const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	return 0;
}

struct unzstd *unzstd_new(void)
{
	return NULL;
}

void unzstd_free(struct unzstd *z)
{
	(void)z;
}

int unzstd_step(struct unzstd *z, const char **packed, size_t *packed_n, char *bytes, size_t room, size_t *n, const char *path,
	struct err_note *why)
{
	(void)packed, (void)packed_n, (void)bytes, (void)room, (void)n;
	return unzstd_end(z, path, why);
}

int unzstd_end(const struct unzstd *z, const char *path, struct err_note *why)
{
	(void)z;
	return err_set(why, ERR_FORMAT, "cannot unpack '%s': this program is built without libzstd", path);
}

size_t unzstd_frame(struct unzstd *z, const char *bytes, size_t n, size_t most, struct buf *out)
{
	(void)z;
	buf_clear(out);
	buf_add(out, bytes, n < most ? n : most);
	return out->used;
}
#endif

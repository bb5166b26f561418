/* The host parser: domains, IPv4 addresses in every spelling, IPv6 addresses, opaque hosts. */
#include "parser/url_part.h"

#include <string.h>

/* Reads one part of an IPv4 address, a number as in C. Values above 32 bits become 2^32. Returns 0, or -1 if the part is no
 * number. */
static int ipv4_number(const char *p, const char *end, uint64_t *value)
{
	int radix = 10;

	*value = 0;
	if (p == end)
		return -1;
	if (end - p >= 2 && p[0] == '0' && (p[1] | 0x20) == 'x') {
		p += 2;
		radix = 16;
	} else if (end - p >= 2 && p[0] == '0') {
		p++;
		radix = 8;
	}
	for (; p < end; p++) {
		int digit = ascii_hex(*p);
		if (digit < 0 || digit >= radix)
			return -1;
		*value = *value * (uint64_t)radix + (uint64_t)digit;
		if (*value > UINT32_MAX)
			*value = (uint64_t)UINT32_MAX + 1;
	}
	return 0;
}

/* Says whether the last label of a domain is a number: the domain is then an IPv4 address, or invalid. */
static int ends_in_number(const char *host, const char *end)
{
	uint64_t value;

	if (end[-1] == '.')
		end--;
	const char *dot = memrchr(host, '.', (size_t)(end - host));
	const char *last = dot ? dot + 1 : host, *p = last;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return (p == end && p > last) || ipv4_number(last, end, &value) == 0;
}

/* Replaces the text from `start` on, which spells an IPv4 address in any form, by its canonical form. Returns 0 or -1. */
static int ipv4(struct buf *out, size_t start)
{
	const char *p = out->at + start, *end = out->at + out->used;
	uint64_t part[4], address = 0;
	int n = 0;

	if (end[-1] == '.')
		end--;
	for (;; p++) {
		const char *dot = memchr(p, '.', (size_t)(end - p));
		const char *stop = dot ? dot : end;
		if (n == 4 || ipv4_number(p, stop, &part[n++]))
			return -1;
		if (!dot)
			break;
		p = stop;
	}
	if (part[n - 1] >= (uint64_t)1 << 8 * (5 - n))
		return -1;
	for (int i = 0; i < n - 1; i++) {
		if (part[i] > 255)
			return -1;
		address |= part[i] << (24 - 8 * i);
	}
	address |= part[n - 1];
	out->used = start;
	buf_format(out, "%u.%u.%u.%u", (unsigned)(address >> 24), (unsigned)(address >> 16 & 255), (unsigned)(address >> 8 & 255),
		(unsigned)(address & 255));
	return 0;
}

/* Reads the dotted quad that may end an IPv6 address, which has no leading zeros. */
static int ipv6_quad(const char *p, const char *end, uint16_t *piece)
{
	for (int i = 0; i < 4; i++) {
		int value = 0;
		const char *start = p;
		for (; p < end && *p >= '0' && *p <= '9'; p++) {
			value = value * 10 + (*p - '0');
			if (value > 255 || (p > start && *start == '0'))
				return -1;
		}
		if (p == start || (i < 3 ? p == end || *p++ != '.' : p < end))
			return -1;
		piece[i / 2] = (uint16_t)(piece[i / 2] << 8 | value);
	}
	return 0;
}

/* Reads an IPv6 address without brackets into its eight pieces. Returns 0 or -1. */
static int ipv6_read(const char *p, const char *end, uint16_t piece[8])
{
	int n = 0, gap = -1; /* pieces read; where "::" stands */

	if (p < end && *p == ':') {
		if (end - p < 2 || p[1] != ':')
			return -1;
		p += 2;
		gap = n++;
	}
	while (p < end) {
		if (n == 8)
			return -1;
		if (*p == ':') {
			if (gap >= 0)
				return -1;
			p++;
			gap = n++;
			continue;
		}
		const char *start = p;
		unsigned value = 0;
		for (; p < end && p - start < 4 && ascii_hex(*p) >= 0; p++)
			value = value << 4 | (unsigned)ascii_hex(*p);
		if (p < end && *p == '.') {
			if (p == start || n > 6 || ipv6_quad(start, end, piece + n))
				return -1;
			n += 2;
			break;
		}
		if (p < end && (*p != ':' || p + 1 == end))
			return -1;
		p += p < end;
		piece[n++] = (uint16_t)value;
	}
	if (gap < 0)
		return n == 8 ? 0 : -1;
	/* moves the pieces after the "::" to the end, and fills the gap with zeros */
	memmove(piece + gap + 1 + (8 - n), piece + gap + 1, (size_t)(n - gap - 1) * sizeof *piece);
	memset(piece + gap, 0, (size_t)(9 - n) * sizeof *piece);
	return 0;
}

/* Returns the beginning of the longest run of at least two zero pieces, the first of several; *length is 0 if there is none. */
static int longest_zeros(const uint16_t piece[8], int *length)
{
	int best = 0;

	*length = 1;
	for (int i = 0, run = 0; i < 8; i++) {
		run = piece[i] ? 0 : run + 1;
		if (run > *length) {
			*length = run;
			best = i - run + 1;
		}
	}
	if (*length < 2)
		*length = 0;
	return best;
}

static int ipv6(struct buf *out, const char *p, const char *end)
{
	uint16_t piece[8] = {0};
	int zeros;

	if (ipv6_read(p, end, piece))
		return -1;
	int gap = longest_zeros(piece, &zeros);
	buf_byte(out, '[');
	for (int i = 0; i < 8; i++) {
		if (zeros && i == gap) {
			buf_text(out, "::");
			i += zeros - 1;
			continue;
		}
		buf_format(out, "%s%x", i && !(zeros && i == gap + zeros) ? ":" : "", piece[i]);
	}
	buf_byte(out, ']');
	return 0;
}

/* Puts the domain to ASCII of the bytes from `start` on in their place. */
static int domain(struct buf *out, size_t start)
{
	size_t n = out->used - start;
	int ascii = 1;

	for (size_t i = start; i < out->used; i++)
		ascii &= (uint8_t)out->at[i] < 0x80;
	if (!ascii) {
		if (url_idna(out, out->at + start, n))
			return -1;
		memmove(out->at + start, out->at + start + n, out->used - start - n + 1);
		out->used -= n;
	}
	if (out->used == start)
		return -1;
	for (char *p = out->at + start; p < out->at + out->used; p++) {
		if (url_is(*p, URL_NO_DOMAIN))
			return -1;
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p | 0x20);
	}
	return 0;
}

int url_host(struct buf *out, const char *host, size_t n)
{
	const char *end = host + n;
	size_t start = out->used;

	if (*host == '[')
		return end[-1] == ']' ? ipv6(out, host + 1, end - 1) : -1;
	char *to = buf_room(out, n);
	for (const char *p = host; p < end; p++) {
		if (url_is_escape(p, end)) {
			*to++ = (char)(ascii_hex(p[1]) << 4 | ascii_hex(p[2]));
			p += 2;
		} else {
			*to++ = *p;
		}
	}
	out->used = (size_t)(to - out->at);
	buf_end(out);
	if (domain(out, start))
		return -1;
	return ends_in_number(out->at + start, out->at + out->used) ? ipv4(out, start) : 0;
}

int url_host_is_opaque(const char *host, size_t n)
{
	uint16_t piece[8] = {0};

	if (n && *host == '[')
		return host[n - 1] == ']' && ipv6_read(host + 1, host + n - 1, piece) == 0;
	for (size_t i = 0; i < n; i++) {
		if (url_is(host[i], URL_NO_HOST))
			return 0;
	}
	return 1;
}

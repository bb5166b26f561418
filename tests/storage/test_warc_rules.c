/* The rules of WARC files: each is broken by one change of a record that keeps them all, and only that breach is told. */
#include "base/buf.h"
#include "storage/warc_rules.h"
#include "tests/test.h"

#include <string.h>

#define ID "WARC-Record-ID: <urn:uuid:16da6da0-bcdc-49c3-927e-57494593dddd>\r\n"
#define CONTENT \
	"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" \
	"hello"
#define RESPONSE_LINES \
	"WARC-Type: response\r\n" \
	"WARC-Target-URI: http://a.test/\r\n" \
	"WARC-Date: 2026-11-22T08:30:15Z\r\n" ID "Content-Type: application/http;msgtype=response\r\n" \
	"WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n"
#define RESPONSE "WARC/1.1\r\n" RESPONSE_LINES

/* What was told: lines "LEVEL FIELD: WHAT". */
static void keep(void *ctx, enum warc_level level, const char *field, const char *what)
{
	buf_format(ctx, "%s %s: %s\n", level == WARC_SHALL ? "shall" : "should", field, what);
}

/* Judges records with a header of these lines, without its Content-Length, and a block; the first of them is not that of the
 * file. */
static void judge(struct buf *told, const char *lines, const char *block, size_t times, const struct warc_item *marks)
{
	static const char first[] = "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n"
				    "WARC-Record-ID: <urn:x:1>\r\nContent-Length: 0\r\n\r\n";
	struct warc_rules *rules = warc_rules_new(keep, told);
	struct warc_item item = {.header = {first, sizeof first - 1}, .is_alone = 1, .is_ended = 1};
	struct buf header = BUF_EMPTY;

	warc_rules_file(rules);
	assert_int_equal(warc_rules_record(rules, &item, NULL), 0);
	assert_string_equal(told->used ? told->at : "", "");
	buf_format(&header, "%sContent-Length: %zu\r\n\r\n", lines, strlen(block));
	item = *marks;
	item.header = (struct warc_span){header.at, header.used};
	item.block = (struct warc_span){block, strlen(block)};
	for (size_t i = 0; i < times; i++)
		assert_int_equal(warc_rules_record(rules, &item, NULL), 0);
	warc_rules_free(rules);
	buf_release(&header);
}

static const struct warc_item sound = {.is_alone = 1, .is_ended = 1};

static void a_breach_is_told_by_its_field_and_no_other(void **state)
{
	static const struct {
		const char *lines, *told;
	} rows[] = {
		{RESPONSE, ""},
		{"WARC/1.0\r\n" RESPONSE_LINES, ""},
		{"WARC/1.2\r\n" RESPONSE_LINES, "shall : the version 'WARC/1.2' is neither WARC/1.0 nor WARC/1.1\n"},
		{"WARC/1.1\n" RESPONSE_LINES, "shall : the first line does not end in CR LF\n"},
		{RESPONSE "X: y\n", "shall : a line of the header does not end in CR LF\n"},
		{RESPONSE "no field\r\n", "shall : the line 'no field' is no field\n"},
		{RESPONSE "b a d: x\r\n", "shall : the line 'b a d: x' is no field\n"},
		{RESPONSE "Mine: one\r\n two\r\n", ""},
		{RESPONSE "warc-date: 2026-11-22T08:30:15Z\r\n", "shall WARC-Date: stands 2 times\n"},
		{RESPONSE "WARC-Concurrent-To: <urn:x:2>\r\nWARC-Concurrent-To: <urn:x:3>\r\n", ""},
		{RESPONSE "WARC-Concurrent-To: urn:x:2\r\n", "shall WARC-Concurrent-To: 'urn:x:2' is not a URI between < and >\n"},
		{RESPONSE "WARC-IP-Address: 10.0.0.1\r\n", ""},
		{RESPONSE "WARC-IP-Address: 2001:db8::1\r\n", ""},
		{RESPONSE "WARC-IP-Address: 10.0.0.256\r\n", "shall WARC-IP-Address: '10.0.0.256' is not an IP address\n"},
		{RESPONSE "WARC-Refers-To: <urn:x:1>\r\n", "shall WARC-Refers-To: a response record shall not have it\n"},
		{RESPONSE "WARC-Refers-To-Date: 2026-11-22T08:30:15Z\r\n",
			"shall WARC-Refers-To-Date: a response record shall not have it\n"},
		{RESPONSE "WARC-Filename: x.warc.gz\r\n", "shall WARC-Filename: a response record shall not have it\n"},
		{RESPONSE "WARC-Warcinfo-ID: <urn:x:1>\r\n", ""},
		{RESPONSE "WARC-Truncated: length\r\n", ""},
		{RESPONSE "WARC-Truncated: tired\r\n",
			"should WARC-Truncated: 'tired' is not length, time, disconnect or unspecified\n"},
		{RESPONSE "WARC-Segment-Number: 0\r\n",
			"shall WARC-Segment-Number: '0' is not a number from 1 on\n"
			"shall WARC-Segment-Number: a segment behind the first is a continuation\n"},
		{RESPONSE "WARC-Segment-Number: 1\r\n", ""},
		{RESPONSE "WARC-Segment-Total-Length: 7\r\n",
			"shall WARC-Segment-Total-Length: a response record shall not have it\n"},
		{RESPONSE "WARC-Block-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n",
			"shall WARC-Block-Digest: the block has another digest\n"},
		{RESPONSE "WARC-Block-Digest: md5:short\r\n", "shall WARC-Block-Digest: is no digest of its algorithm\n"},
		{RESPONSE "WARC-Block-Digest: crc:1234\r\n",
			"should WARC-Block-Digest: is of an algorithm that is not known here\n"},
		{RESPONSE "WARC-Block-Digest: none\r\n",
			"shall WARC-Block-Digest: 'none' is not an algorithm, a colon and a digest\n"
			"shall WARC-Block-Digest: is no digest of its algorithm\n"},
		{"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n"
		 "Content-Type: application/http\r\n",
			"shall WARC-Record-ID: is missing\n"},
		{"WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID "Content-Type: application/http\r\n",
			"shall WARC-Target-URI: is missing\n"},
		{"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID,
			"should Content-Type: is missing\n"},
		{"WARC/1.1\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "Content-Type: text/plain\r\n",
			"shall WARC-Type: is missing\n"},
		{"WARC/1.1\r\nWARC-Type: other\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID "Content-Type: text/plain\r\n",
			"should WARC-Type: 'other' is not one of the eight types\n"},
		{"WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "Content-Type: application/warc-fields\r\n",
			"shall WARC-Target-URI: a warcinfo record shall not have it\n"},
		{"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "Content-Type: application/http\r\n",
			"shall WARC-Profile: is missing\n"},
		{"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "Content-Type: application/http\r\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n",
			"shall WARC-Payload-Digest: a revisit of this profile shall have it\n"},
		{"WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "WARC-Segment-Origin-ID: <urn:x:1>\r\nWARC-Segment-Number: 2\r\n",
			""},
		{"WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		 "WARC-Segment-Number: 1\r\n",
			"shall WARC-Segment-Origin-ID: is missing\n"
			"shall WARC-Segment-Number: 1 is the first segment, which is no continuation\n"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf told = BUF_EMPTY;
		judge(&told, rows[i].lines, CONTENT, 1, &sound);
		if (strcmp(told.used ? told.at : "", rows[i].told) != 0)
			fail_msg("row %zu: told '%s', not '%s'", i, told.used ? told.at : "", rows[i].told);
		buf_release(&told);
	}
}

static void times_and_uris_have_the_forms_of_their_version(void **state)
{
	static const struct {
		const char *date;
		int in_1_0, in_1_1;
	} dates[] = {
		{"2026-11-22T08:30:15Z", 1, 1},
		{"2026-11-22T08:30:15.123456789Z", 0, 1},
		{"2026-11-22T08:30:15.1234567890Z", 0, 0},
		{"2026-11-22T08:30:15.Z", 0, 0},
		{"2026-11-22T08:30Z", 0, 1},
		{"2026-11-22", 0, 1},
		{"2026-11", 0, 1},
		{"2026", 0, 1},
		{"2026-11-22T08:30:15", 0, 0},
		{"2026-11-22T08:30:15+01:00", 0, 0},
		{"2026-11-22 08:30:15Z", 0, 0},
		{"20261122083015", 0, 0},
		{"Z", 0, 0},
	};
	struct buf lines = BUF_EMPTY, told = BUF_EMPTY;
	(void)state;

	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		for (int minor = 0; minor < 2; minor++) {
			buf_clear(&lines);
			buf_clear(&told);
			buf_format(&lines,
				"WARC/1.%d\r\nWARC-Type: metadata\r\n" ID "Content-Type: text/plain\r\nWARC-Date: %s\r\n", minor,
				dates[i].date);
			judge(&told, lines.at, "x", 1, &sound);
			if ((told.used == 0) != (minor ? dates[i].in_1_1 : dates[i].in_1_0))
				fail_msg("WARC/1.%d, '%s': '%s'", minor, dates[i].date, told.used ? told.at : "");
		}
	}
	for (int minor = 0; minor < 2; minor++) {
		buf_clear(&lines);
		buf_clear(&told);
		buf_format(&lines,
			"WARC/1.%d\r\nWARC-Type: metadata\r\n" ID
			"Content-Type: text/plain\r\nWARC-Date: 2026-11-22T08:30:15Z\r\nWARC-Target-URI: <http://a.test/>\r\n",
			minor);
		judge(&told, lines.at, "x", 1, &sound);
		assert_int_equal(told.used != 0, minor);
	}
	buf_release(&lines);
	buf_release(&told);
}

static void a_digest_may_be_of_any_encoding_and_of_the_payload_in_any_form(void **state)
{
	static const struct {
		const char *digest, *block;
	} rows[] = {
		{"sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n", CONTENT},
		{"sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", CONTENT},
		{"sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D", CONTENT},
		{"sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=", CONTENT},
		{"sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", CONTENT},
		{"md5:5d41402abc4b2a76b9719d911017c592", CONTENT},
		/* joined chunks, and the chunks themselves */
		{"md5:5d41402abc4b2a76b9719d911017c592",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"},
		{"md5:d9a9c4e3b9b0b5d6e7ea7bcb4f9a9e3b", ""},
	};
	struct buf lines = BUF_EMPTY, told = BUF_EMPTY;
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_clear(&lines);
		buf_clear(&told);
		buf_format(&lines,
			"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\n" ID
			"Content-Type: application/http\r\nWARC-Date: 2026-11-22T08:30:15Z\r\nWARC-Payload-Digest: %s\r\n",
			rows[i].digest);
		judge(&told, lines.at, *rows[i].block ? rows[i].block : CONTENT, 1, &sound);
		if ((told.used == 0) != (*rows[i].block != 0))
			fail_msg("%s: '%s'", rows[i].digest, told.used ? told.at : "");
	}
	buf_release(&lines);
	buf_release(&told);
}

static void a_record_stands_alone_ends_and_differs_from_the_others(void **state)
{
	struct buf told = BUF_EMPTY;
	struct warc_item item = sound;
	(void)state;

	judge(&told, RESPONSE, CONTENT, 2, &sound);
	assert_string_equal(told.at, "shall WARC-Record-ID: another record has the same\n");
	buf_clear(&told);
	item.is_ended = 0;
	judge(&told, RESPONSE, CONTENT, 1, &item);
	assert_string_equal(told.at, "shall : the block is not followed by CR LF CR LF\n");
	buf_clear(&told);
	item = sound;
	item.is_alone = 0;
	judge(&told, RESPONSE, CONTENT, 1, &item);
	assert_string_equal(told.at, "should : the record shares its gzip member with others, so that no index can lead to it\n");
	buf_clear(&told);
	judge(&told,
		"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nWARC-Date: 2026-11-22T08:30:15Z\r\n" ID
		"Content-Type: application/http\r\n",
		"no message", 1, &sound);
	assert_string_equal(told.at, "should : the HTTP head has no blank line behind it\n");
	buf_release(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_breach_is_told_by_its_field_and_no_other),
		cmocka_unit_test(times_and_uris_have_the_forms_of_their_version),
		cmocka_unit_test(a_digest_may_be_of_any_encoding_and_of_the_payload_in_any_form),
		cmocka_unit_test(a_record_stands_alone_ends_and_differs_from_the_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

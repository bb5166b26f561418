/* Parses numbers that users type. The whole text must be the number: blanks, hexadecimal digits, "inf"
 * and "nan" are refused. Each function returns 0, or -1 if the text is no such number or is out of
 * range; *out is then unchanged.
 *
 *	if (num_time("1h30m", &ms)) ...                      ms is 5400000 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

/* Parses a finite decimal number such as "-2", "0.85" or "1e-9". */
int num_real(const char *text, double *out);

/* Parses a whole number of at most `max`, written in decimal digits only. */
int num_count(const char *text, uint64_t max, uint64_t *out);

/* Parses a number of bytes below 2^63: a number with an optional fraction and an optional unit K, M, G
 * or T (powers of 1024; "KB" and "KiB" mean the same). A fraction of a byte is dropped. */
int num_bytes(const char *text, uint64_t *out);

/* Parses a whole number: digits only, or a number below 2^53 with an optional fraction and a unit k, M
 * or G (powers of 1000), whose product is whole: "1.2k" is 1200. */
int num_scaled(const char *text, uint64_t *out);

/* Parses a time below 2^53 ms into milliseconds: a number of seconds ("2", "0.5"), or several numbers,
 * each with its unit ms, s, m, h or d ("1h30m"). A fraction of a millisecond is rounded up. */
int num_time(const char *text, int64_t *out);

/* The highest score of a page; the lowest is 0. The sum over all pages is finite. */
#define NUM_SCORE_MOST 1e290

/* Writes a 64-bit hash as 16 hexadecimal digits and a NUL, the form in which every output has it.
 * Returns `text`. */
#define FINGERPRINT_ROOM 17
char *fingerprint_text(uint64_t fingerprint, char text[FINGERPRINT_ROOM]);

#endif

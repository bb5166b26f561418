/* Numbers as people type them, read strictly: the whole text must be the number. No locale. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

/* Each returns 0, or -1 where the text is no such number or out of range; then *out is kept. */
int num_real(const char *text, double *out);                  /* finite decimal, "1e-9" */
int num_count(const char *text, uint64_t max, uint64_t *out); /* decimal digits only, <= max */
/* Bytes: digits with an optional fraction and K, M, G or T (powers of 1024). */
int num_bytes(const char *text, uint64_t *out);
/* A whole number: digits, or digits with an optional fraction and k, M or G (powers of 1000). */
int num_scaled(const char *text, uint64_t *out);
/* Time in ms: a number of seconds, or numbers with the units ms, s, m, h or d in a row: "1h30m". */
int num_time(const char *text, int64_t *out);

/* A fingerprint as it is printed everywhere: 16 hexadecimal digits. Returns `text`. */
#define FINGERPRINT_ROOM 17
char *fingerprint_text(uint64_t fingerprint, char text[FINGERPRINT_ROOM]);

#endif

#include "policies/least_squares.h"

#include <math.h>

#define N LEAST_SQUARES_FEATURES

void least_squares_add(struct least_squares *r, const double f[N], double y)
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j <= i; j++)
			r->a[i][j] += f[i] * f[j];
		r->b[i] += f[i] * y;
	}
}

/* Solves (a + 1) w = b by Cholesky's method, where 1 is the identity: a + 1 = l l^T, then l v = b, and l^T w = v. */
void least_squares_fit(struct least_squares *r)
{
	double l[N][N], *w = r->w;

	for (int i = 0; i < N; i++) {
		w[i] = r->b[i];
		for (int j = 0; j <= i; j++) {
			l[i][j] = r->a[i][j] + (i == j ? 1 : 0);
			for (int k = 0; k < j; k++)
				l[i][j] -= l[i][k] * l[j][k];
			l[i][j] = i == j ? sqrt(l[i][i]) : l[i][j] / l[j][j];
		}
		for (int k = 0; k < i; k++)
			w[i] -= l[i][k] * w[k];
		w[i] /= l[i][i];
	}
	for (int i = N - 1; i >= 0; i--) {
		for (int k = i + 1; k < N; k++)
			w[i] -= l[k][i] * w[k];
		w[i] /= l[i][i];
	}
}

double least_squares_predict(const struct least_squares *r, const double f[N])
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += r->w[i] * f[i];
	return sum;
}

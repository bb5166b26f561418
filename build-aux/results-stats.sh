#!/bin/sh
# Sourced by results-policies.sh: awk over tables, and statistics for it: half of the 95% interval by
# Student's t; the p of Wilcoxon's signed-rank test of y[1..n], exact, and Holm's correction of p[1..n],
# as `lycosa compare` has them.
stats='function t_of(n,  i, at) {
	split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086 2.080 2.074 2.069 2.064 2.060 2.056 2.052 2.048 2.045", at, " ")
	return n - 1 <= 29 ? at[n - 1] : 1.96 + 2.4 / (n - 1)
}
function half(n, sum, squares,  v) {
	if (n < 2)
		return 0
	v = (squares - sum * sum / n) / (n - 1)
	return t_of(n) * sqrt(v > 0 ? v / n : 0)
}
function wilcoxon(y, n,  i, j, k, m, x, size, up, rank, ways, all, above, sum) {
	for (i = 1; i <= n; i++) {
		if (y[i] == 0)
			continue
		x = y[i] < 0 ? -y[i] : y[i]
		for (j = m++; j > 0 && size[j] > x; j--) { size[j + 1] = size[j]; up[j + 1] = up[j] }
		size[j + 1] = x; up[j + 1] = y[i] > 0
	}
	all = m * (m + 1) # twice the sum of the ranks, for ties share theirs
	for (i = 1; i <= m; i = j)
		for (j = i; j <= m && size[j] == size[i]; j++)
			for (k = i; k <= j; k++)
				rank[k] = i + j
	for (k = 0; k <= all; k++) ways[k] = k == 0
	for (i = 1; i <= m; i++) {
		above += up[i] ? rank[i] : 0
		for (k = all; k >= rank[i]; k--) ways[k] += ways[k - rank[i]]
	}
	for (k = 0; k <= above && k <= all - above; k++) sum += ways[k]
	return 2 * sum < 2 ^ m ? 2 * sum / 2 ^ m : 1
}
function holm(p, n,  i, left, least, last, done) {
	for (left = n; left > 0; left--) {
		least = 0
		for (i = 1; i <= n; i++)
			if (!done[i] && (!least || p[i] < p[least])) least = i
		done[least] = 1
		last = p[least] = p[least] * left < last ? last : p[least] * left < 1 ? p[least] * left : 1
	}
}
'
stat() { awk -F '\t' -v OFS='\t' "$@"; }

/* The exponents and rates of the endless web that are not settings. doc/simulation.md names the sources. */
#ifndef SIMWEB_ENDLESS_RATES_H
#define SIMWEB_ENDLESS_RATES_H

#define ENDLESS_OUT_EXPONENT  2.72 /* P(links of a page = k) ~ k^-2.72 */
#define ENDLESS_OUT_LEAST     4    /* by default */
#define ENDLESS_BRANCHES      4    /* by default */
#define ENDLESS_OUT_MOST      2000
#define ENDLESS_IN_EXPONENT   2.1                             /* P(links to a page = k) ~ k^-2.1 */
#define ENDLESS_SIZE_EXPONENT 1.8                             /* P(pages of a host = k) ~ k^-1.8 */
#define ENDLESS_RANK_EXPONENT (1 / (ENDLESS_IN_EXPONENT - 1)) /* the page of rank r gets links ~ r^-0.91 */
#define ENDLESS_HOME          0.6 /* the share of the links to other hosts that lead to the host's home page */
#define ENDLESS_FRESH         0.3 /* the share of a page's links that change with each version */
#define ENDLESS_WORDS_SPREAD  0.8 /* the standard deviation of the logarithm of a page's words */
#define ENDLESS_WORDS_MOST    50000
#define ENDLESS_WWW           0.6 /* the share of the hosts with a domain of their own that are called www.DOMAIN */
#define ENDLESS_SUBDOMAIN     0.2 /* the share of the hosts that lie in the domain of another host */

#define ENDLESS_PACE_SPREAD 1.0  /* the standard deviation of the logarithm of a host's rate of changes */
#define ENDLESS_ABSENT      0.05 /* the share of the time in which a page that comes and goes does not exist */
#define ENDLESS_STAY        20.0 /* a page stays in existence, or away, for at least the time of this many changes */

#endif

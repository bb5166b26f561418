/* The exponents and rates of the endless web that are not settings. doc/simulation.md names the sources. */
#ifndef SIMWEB_ENDLESS_RATES_H
#define SIMWEB_ENDLESS_RATES_H

#define ENDLESS_OUT_EXPONENT  2.72 /* P(links of a page = k) ~ k^-2.72 */
#define ENDLESS_OUT_LEAST     4
#define ENDLESS_OUT_MOST      2000
#define ENDLESS_IN_EXPONENT   2.1  /* P(links to a page = k) ~ k^-2.1 */
#define ENDLESS_SIZE_EXPONENT 1.8  /* P(pages of a host = k) ~ k^-1.8 */
#define ENDLESS_RANK_EXPONENT (1 / (ENDLESS_IN_EXPONENT - 1)) /* the page of rank r gets links ~ r^-0.91 */
#define ENDLESS_HOME          0.6  /* of the links to other hosts lead to the home page */
#define ENDLESS_FRESH         0.3  /* of the links are others in each version of a page */
#define ENDLESS_WORDS_SPREAD  0.8  /* the standard deviation of the logarithm of a page's words */
#define ENDLESS_WORDS_MOST    50000
#define ENDLESS_WWW           0.6  /* of the hosts that have a domain of their own are called www.DOMAIN */
#define ENDLESS_SUBDOMAIN     0.2  /* of the hosts lie in the domain of another one */

#define ENDLESS_PACE_SPREAD   1.0  /* the standard deviation of the logarithm of a host's rate of changes */
#define ENDLESS_ABSENT        0.05 /* of its time a page that comes and goes is not there */
#define ENDLESS_STAY          20.0 /* so many changes long it is there or not there at least */

#endif

#!/bin/sh
# Sites as programs in wide use make them (tests/traps/kind_sites.c), crawled with the defaults: each is found whole, and what comes again
# under other URLs costs so many pages at most.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/traps/trap_crawls.sh"
plan $(($(wc -l <kinds) + 1))

store=programs
sed 's|\([^ ]*\) .*|http://\1/|' kinds >seeds
crawl --seeds seeds
judge_sites "with the defaults" kinds
ended_well

noinst_LIBRARIES += crawler/libcrawler.a
crawler_libcrawler_a_SOURCES = \
	crawler/agent_adopt.c \
	crawler/agent_gifts.c \
	crawler/agent_log.c \
	crawler/agent_log.h \
	crawler/agent_elsewhere.c \
	crawler/agent_elsewhere.h \
	crawler/agent_pages.c \
	crawler/agent_pages.h \
	crawler/agent_shares.c \
	crawler/agent_shares.h \
	crawler/agent_shares_parts.h \
	crawler/agent_turns.c \
	crawler/agent_turns.h \
	crawler/census.c \
	crawler/census.h \
	crawler/control.c \
	crawler/control.h \
	crawler/control_command.c \
	crawler/control_hosts.c \
	crawler/control_internal.h \
	crawler/control_page.c \
	crawler/control_status.c \
	crawler/crawl.c \
	crawler/crawl.h \
	crawler/distinct.c \
	crawler/distinct.h \
	crawler/graph_source.c \
	crawler/graph_source.h \
	crawler/graph_world.c \
	crawler/graph_world.h \
	crawler/hindsight.c \
	crawler/hindsight.h \
	crawler/history.c \
	crawler/history.h \
	crawler/inbox.c \
	crawler/inbox.h \
	crawler/json_text.c \
	crawler/json_text.h \
	crawler/knowledge.c \
	crawler/knowledge.h \
	crawler/knowledge_image.c \
	crawler/knowledge_log.c \
	crawler/landing.c \
	crawler/landing.h \
	crawler/link_rank.c \
	crawler/link_rank.h \
	crawler/live.c \
	crawler/live.h \
	crawler/live_agent.c \
	crawler/live_agent.h \
	crawler/live_agent_letters.c \
	crawler/live_agent_news.c \
	crawler/live_agent_parts.h \
	crawler/live_archive.c \
	crawler/live_archive.h \
	crawler/live_asked.c \
	crawler/live_asked.h \
	crawler/live_config.c \
	crawler/live_config.h \
	crawler/live_decision.c \
	crawler/live_decision.h \
	crawler/live_exec.c \
	crawler/live_exec.h \
	crawler/live_network.c \
	crawler/live_network.h \
	crawler/live_policy.c \
	crawler/live_policy.h \
	crawler/live_requisites.c \
	crawler/live_requisites.h \
	crawler/live_scores.c \
	crawler/live_scores.h \
	crawler/live_parts.h \
	crawler/live_run.c \
	crawler/live_seed.c \
	crawler/live_seed.h \
	crawler/metrics.c \
	crawler/metrics.h \
	crawler/metrics_machine.c \
	crawler/monitor.c \
	crawler/monitor.h \
	crawler/monitor_guard.c \
	crawler/outages.c \
	crawler/outages.h \
	crawler/net_beside.c \
	crawler/net_beside.h \
	crawler/net_fleet.c \
	crawler/net_fleet.h \
	crawler/net_hosts.c \
	crawler/net_hosts.h \
	crawler/net_pages.c \
	crawler/net_pages.h \
	crawler/net_robots.c \
	crawler/net_robots.h \
	crawler/net_source.c \
	crawler/net_visits.c \
	crawler/net_visits.h \
	crawler/net_world.c \
	crawler/net_world.h \
	crawler/revisit.c \
	crawler/revisit.h \
	crawler/net_source.h \
	crawler/page_log.c \
	crawler/page_log.h \
	crawler/page_record.c \
	crawler/page_record.h \
	crawler/post_log.c \
	crawler/post_log.h \
	crawler/previous.c \
	crawler/previous.h \
	crawler/record.c \
	crawler/record.h \
	crawler/rescope.c \
	crawler/rescope.h \
	crawler/retry.c \
	crawler/retry.h \
	crawler/resume.c \
	crawler/resume.h \
	crawler/snapshot.c \
	crawler/snapshot.h \
	crawler/source.h \
	crawler/stop_when.c \
	crawler/stop_when.h \
	crawler/tally.c \
	crawler/tally.h \
	crawler/virtual_source.c \
	crawler/virtual_source.h \
	crawler/ways.c \
	crawler/ways.h


# the page of the monitor, as bytes of C
monitor_page = crawler/monitor_page/page.html crawler/monitor_page/page.css crawler/monitor_page/page.js
monitor_bytes = crawler/monitor_page/page.html.inc crawler/monitor_page/page.css.inc crawler/monitor_page/page.js.inc
EXTRA_DIST += $(monitor_page)
CLEANFILES += $(monitor_bytes)
crawler/monitor.$(OBJEXT): $(monitor_bytes)
as_bytes = $(AM_V_GEN)$(MKDIR_P) crawler/monitor_page && od -An -v -tu1
with_commas = sed 's/[0-9][0-9]*/&,/g'
crawler/monitor_page/page.html.inc: $(srcdir)/crawler/monitor_page/page.html
	$(as_bytes) $(srcdir)/crawler/monitor_page/page.html | $(with_commas) >$@
crawler/monitor_page/page.css.inc: $(srcdir)/crawler/monitor_page/page.css
	$(as_bytes) $(srcdir)/crawler/monitor_page/page.css | $(with_commas) >$@
crawler/monitor_page/page.js.inc: $(srcdir)/crawler/monitor_page/page.js
	$(as_bytes) $(srcdir)/crawler/monitor_page/page.js | $(with_commas) >$@

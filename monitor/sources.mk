noinst_LIBRARIES += monitor/libmonitor.a
monitor_libmonitor_a_SOURCES = \
	monitor/census.c \
	monitor/census.h \
	monitor/control.c \
	monitor/control.h \
	monitor/control_internal.h \
	monitor/control_readings.c \
	monitor/inbox.c \
	monitor/inbox.h \
	monitor/metrics.c \
	monitor/metrics.h \
	monitor/monitor.c \
	monitor/monitor.h \
	monitor/tally.c \
	monitor/tally.h

# the page of the monitor, as bytes of C
monitor_page = monitor/page/page.html monitor/page/page.css monitor/page/page.js
monitor_bytes = monitor/page/page.html.inc monitor/page/page.css.inc monitor/page/page.js.inc
EXTRA_DIST += $(monitor_page)
CLEANFILES += $(monitor_bytes)
monitor/monitor.$(OBJEXT): $(monitor_bytes)
as_bytes = $(AM_V_GEN)$(MKDIR_P) monitor/page && od -An -v -tu1
with_commas = sed 's/[0-9][0-9]*/&,/g'
monitor/page/page.html.inc: $(srcdir)/monitor/page/page.html
	$(as_bytes) $(srcdir)/monitor/page/page.html | $(with_commas) >$@
monitor/page/page.css.inc: $(srcdir)/monitor/page/page.css
	$(as_bytes) $(srcdir)/monitor/page/page.css | $(with_commas) >$@
monitor/page/page.js.inc: $(srcdir)/monitor/page/page.js
	$(as_bytes) $(srcdir)/monitor/page/page.js | $(with_commas) >$@

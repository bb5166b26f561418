noinst_LIBRARIES += scope/libscope.a
scope_libscope_a_SOURCES = \
	scope/rules.c \
	scope/rules.h \
	scope/scope.c \
	scope/scope.h

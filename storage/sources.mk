noinst_LIBRARIES += storage/libstorage.a
storage_libstorage_a_SOURCES = \
	storage/cdxj.c \
	storage/cdxj.h \
	storage/dump.c \
	storage/env.c \
	storage/env.h \
	storage/handle.h \
	storage/links.c \
	storage/lmdb_check.c \
	storage/lmdb_check.h \
	storage/lock.c \
	storage/lock.h \
	storage/log.c \
	storage/pages.c \
	storage/records.c \
	storage/records.h \
	storage/results.c \
	storage/robots.c \
	storage/store.c \
	storage/store_merge.c \
	storage/store_merge.h \
	storage/store.h \
	storage/tags.c \
	storage/tags.h \
	storage/texts.c \
	storage/verify.c \
	storage/visits.c \
	storage/visits.h \
	storage/warc.c \
	storage/warc_check.c \
	storage/warc_check.h \
	storage/warc.h \
	storage/warc_records.c \
	storage/warc_records.h \
	storage/warc_stream.c \
	storage/warc_stream.h

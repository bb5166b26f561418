noinst_LIBRARIES += storage/libstorage.a
storage_libstorage_a_SOURCES = \
	storage/cdxj.c \
	storage/cdxj.h \
	storage/dump.c \
	storage/env.c \
	storage/env.h \
	storage/env_open.c \
	storage/handle.h \
	storage/lasting.c \
	storage/lasting.h \
	storage/latest.c \
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
	storage/store.c \
	storage/store.h \
	storage/tags.c \
	storage/tags.h \
	storage/texts.c \
	storage/verify.c \
	storage/verify_log.c \
	storage/warc.c \
	storage/warc_check.c \
	storage/warc_check.h \
	storage/warc.h \
	storage/warc_mend.c \
	storage/warc_mend.h \
	storage/warc_records.c \
	storage/warc_records.h

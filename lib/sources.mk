# liblycosa: the files of this folder and what they need of the floors below, linked into one object
# of which only the functions of lycosa.h can be seen. The shared and the static library are made of it.
noinst_LIBRARIES += lib/liblib.a
lib_liblib_a_SOURCES = \
	lib/crawl.c \
	lib/error.c \
	lib/graph.c \
	lib/lib_internal.h \
	lib/kernels.c \
	lib/mem_end.c \
	lib/page.c \
	lib/policy.c \
	lib/store.c
EXTRA_DIST += lib/lycosa.map lib/README.md

LIBRARY_MAJOR = 0
if LIBRARY
include_HEADERS = lib/lycosa.h
library_so = liblycosa.so.$(PACKAGE_VERSION)
noinst_DATA = liblycosa.a $(library_so)
CLEANFILES += liblycosa.a liblycosa.so* lib/lycosa.o lib/whole.o
library_libs = $(LMDB_LIBS) $(ICU_LIBS) $(ARCHIVE_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(DEFLATE_LIBS) $(XXHASH_LIBS) $(JANSSON_LIBS) $(LIBS)
# what the library lacks is said when it is linked, and not to those who load it; sanitizers leave their symbols to the program
if !SANITIZED
library_is_whole = -Wl,-z,defs
endif

lib/lycosa.o: lib/liblib.a $(FLOORS)
	$(AM_V_GEN)$(CC) $(AM_CFLAGS) $(CFLAGS) -r -nostdlib -o lib/whole.o -Wl,--whole-archive lib/liblib.a \
		-Wl,--no-whole-archive $(FLOORS) && \
		$(OBJCOPY) --wildcard --keep-global-symbol='lycosa_*' lib/whole.o $@ && rm -f lib/whole.o
liblycosa.a: lib/lycosa.o
	$(AM_V_AR)rm -f $@ && $(AR) $(ARFLAGS) $@ lib/lycosa.o && $(RANLIB) $@
$(library_so): lib/lycosa.o lib/lycosa.map
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(HARDEN_LDFLAGS) $(LDFLAGS) -pthread -shared -o $@ \
		-Wl,-soname,liblycosa.so.$(LIBRARY_MAJOR) -Wl,--version-script=$(srcdir)/lib/lycosa.map \
		$(library_is_whole) -Wl,--as-needed lib/lycosa.o $(library_libs) && \
		ln -sf $@ liblycosa.so.$(LIBRARY_MAJOR) && ln -sf $@ liblycosa.so

install-exec-local: liblycosa.a $(library_so)
	$(MKDIR_P) '$(DESTDIR)$(libdir)'
	$(INSTALL_DATA) liblycosa.a $(library_so) '$(DESTDIR)$(libdir)'
	cd '$(DESTDIR)$(libdir)' && ln -sf $(library_so) liblycosa.so.$(LIBRARY_MAJOR) && ln -sf $(library_so) liblycosa.so
uninstall-local:
	cd '$(DESTDIR)$(libdir)' && rm -f liblycosa.a $(library_so) liblycosa.so.$(LIBRARY_MAJOR) liblycosa.so
endif

# the Python module
python_files = \
	lib/python/lycosa/__init__.py \
	lib/python/lycosa/__init__.pyi \
	lib/python/lycosa/__main__.py \
	lib/python/lycosa/_arguments.py \
	lib/python/lycosa/_native.py \
	lib/python/lycosa/crawl.py \
	lib/python/lycosa/graph.py \
	lib/python/lycosa/parse.py \
	lib/python/lycosa/policy.py \
	lib/python/lycosa/py.typed \
	lib/python/lycosa/store.py \
	lib/python/lycosa/study.py
EXTRA_DIST += $(python_files)
if PYTHON_MODULE
lycosapythondir = $(pythondir)/lycosa
lycosapython_DATA = $(python_files)
# where the library is, is known when it is installed
install-data-hook:
	echo 'LIBRARY = "$(libdir)/liblycosa.so.$(LIBRARY_MAJOR)"' >'$(DESTDIR)$(lycosapythondir)/_where.py'
uninstall-hook:
	rm -rf '$(DESTDIR)$(lycosapythondir)'
endif

tests_lib_test_library_LDADD = lib/liblib.a $(LDADD)
tests_storage_test_verb_bits_LDADD = lib/liblib.a $(LDADD)
tests_storage_test_store_hostile_LDADD = lib/liblib.a $(LDADD)

/* The temporary copy of store_compact(). Only files of storage/ include this header. */
#ifndef STORAGE_COMPACT_H
#define STORAGE_COMPACT_H

/* The folder within a store's in which its copy is made. */
#define COMPACT_FOLDER "compacting"

/* Removes the copy that a killed store_compact() has left in a store's folder. The caller holds the writer's lock. */
void compact_clear(const char *dir);

#endif

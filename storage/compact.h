/* What store_compact() leaves if it is killed, for the files of this folder. */
#ifndef STORAGE_COMPACT_H
#define STORAGE_COMPACT_H

/* The folder within a store's in which its copy is made. */
#define COMPACT_FOLDER "compacting"

/* Removes the copy that a killed store_compact() has left in a store's folder. The caller holds the writer's lock. */
void compact_clear(const char *dir);

#endif

#include "faulty.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

/* A file: ours, then the system's behind it. */
struct file {
	sqlite3_file base;
	bool log;
	bool home;
	sqlite3_file *real;
};

static sqlite3_vfs *under;
static sqlite3_vfs layer;
static atomic_int kind;
static atomic_uint before; /* operations of the kind until the first that fails */
static atomic_uint left;   /* that fail */
static atomic_uint failed;
static atomic_uint unsynced;

void faulty_fail(enum fault fault, unsigned after, unsigned times)
{
	atomic_store(&left, 0);
	atomic_store(&kind, (int)fault);
	atomic_store(&failed, 0);
	atomic_store(&before, after - 1);
	atomic_store(&left, times);
}

unsigned faulty_unsynced(void)
{
	return atomic_load(&unsynced);
}

unsigned faulty_heal(void)
{
	atomic_store(&left, 0);
	return atomic_load(&failed);
}

/* Whether this operation is to fail. Only one thread writes at a time, so the steps need not be one. */
static bool fails(void)
{
	if (atomic_load(&left) == 0)
		return false;
	if (atomic_load(&before) > 0) {
		atomic_fetch_sub(&before, 1);
		return false;
	}
	atomic_fetch_sub(&left, 1);
	atomic_fetch_add(&failed, 1);
	return true;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct file *)(void *)file)->real;
}

static int close_file(sqlite3_file *file)
{
	sqlite3_file *real = real_of(file);

	return real->pMethods == NULL ? SQLITE_OK : real->pMethods->xClose(real);
}

static int read_file(sqlite3_file *file, void *data, int bytes, sqlite3_int64 offset)
{
	return real_of(file)->pMethods->xRead(real_of(file), data, bytes, offset);
}

static int write_file(sqlite3_file *file, const void *data, int bytes, sqlite3_int64 offset)
{
	const struct file *mine = (struct file *)(void *)file;
	sqlite3_file *real = mine->real;
	int what = atomic_load(&kind);

	if (mine->log)
		atomic_fetch_add(&unsynced, (unsigned)bytes);
	if (what == FAULT_SYNC || (!mine->log && !mine->home) || (what == FAULT_HOME && !mine->home) || !fails())
		return real->pMethods->xWrite(real, data, bytes, offset);
	if (what == FAULT_TORN)
		(void)real->pMethods->xWrite(real, data, bytes / 2, offset);
	return what == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int cut_file(sqlite3_file *file, sqlite3_int64 size)
{
	return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
	if (atomic_load(&kind) == FAULT_SYNC && fails())
		return SQLITE_IOERR_FSYNC;
	int code = real_of(file)->pMethods->xSync(real_of(file), flags);

	if (code == SQLITE_OK && ((struct file *)(void *)file)->log)
		atomic_store(&unsynced, 0);
	return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
	return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
	return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *held)
{
	return real_of(file)->pMethods->xCheckReservedLock(real_of(file), held);
}

static int control_file(sqlite3_file *file, int what, void *argument)
{
	return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int sector_size(sqlite3_file *file)
{
	return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics(sqlite3_file *file)
{
	return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int map_shared(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
	return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags)
{
	return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file)
{
	real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int unmap_shared(sqlite3_file *file, int remove)
{
	return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = cut_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
	struct file *mine = (struct file *)(void *)file;

	(void)vfs;
	memset(mine, 0, sizeof(*mine));
	if (atomic_load(&kind) == FAULT_OPEN && fails())
		return SQLITE_CANTOPEN;
	mine->log = (flags & SQLITE_OPEN_WAL) != 0;
	mine->home = (flags & SQLITE_OPEN_MAIN_DB) != 0;
	mine->real = (sqlite3_file *)(void *)(mine + 1);
	int code = under->xOpen(under, name, mine->real, flags, flags_out);

	if (mine->real->pMethods != NULL)
		mine->base.pMethods = &methods;
	return code;
}

void faulty_register(void)
{
	if (under != NULL)
		return;
	(void)sqlite3_initialize();
	under = sqlite3_vfs_find(NULL);
	layer = *under;
	layer.zName = "faulty";
	layer.pNext = NULL;
	layer.szOsFile = (int)sizeof(struct file) + under->szOsFile;
	layer.xOpen = open_file;
	(void)sqlite3_vfs_register(&layer, 1);
}

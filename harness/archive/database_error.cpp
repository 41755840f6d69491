#include "archive/database_error.hpp"

#include <sqlite3.h>

#include "archive/write_failure.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

std::string path_of(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  return path == nullptr ? "" : path;
}

// SQLite's code is 0 where it refused before the system did.
int system_error(sqlite3* database, int otherwise) {
  const int error = sqlite3_system_errno(database);
  return error == 0 ? otherwise : error;
}

}  // namespace

void throw_damaged(const std::string& path, const std::string& what) {
  throw UserError("the archive's " + path + " is damaged: " + what +
                  "; copy its directory, then `sqlite3 archive.sqlite .recover | sqlite3 new` "
                  "saves what can be read");
}

void throw_database_error(sqlite3* database) {
  const std::string path = path_of(database);
  const std::string message = sqlite3_errmsg(database);
  switch (sqlite3_errcode(database)) {
    case SQLITE_NOTADB:
      throw UserError(path + " is no SQLite file; name another directory by --archive");
    case SQLITE_CORRUPT:
      throw_damaged(path, message);
    case SQLITE_FULL:
      throw write_failure(path, ENOSPC);
    case SQLITE_IOERR:
      throw write_failure(path, system_error(database, EIO));
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw write_failure(path, system_error(database, EACCES));
    case SQLITE_CANTOPEN:
      throw UserError("the archive's " + path + " cannot be opened: " + message +
                      "; mend the permissions of its directory, or copy it to where you may write");
    case SQLITE_BUSY:
      throw UserError("the archive's " + path +
                      " has been locked by another process for long; wait until that has ended");
    default:
      throw HarnessError("the archive's " + path + ": " + message);
  }
}

}  // namespace robust_kbench

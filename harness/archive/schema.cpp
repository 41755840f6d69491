#include "archive/schema.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include "archive/database_error.hpp"
#include "archive/row_tables.hpp"
#include "archive/write_failure.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// "RKBA". It tells an archive from other programs' SQLite files.
constexpr std::int64_t application_id = 0x524b4241;

constexpr const char* effects_table = R"(
CREATE TABLE effects(
  run TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  value_hash TEXT NOT NULL,
  PRIMARY KEY(run, key));
)";

constexpr const char* answers_table = R"(
CREATE TABLE answers(
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  call TEXT NOT NULL,
  stage TEXT NOT NULL,
  purpose TEXT NOT NULL,
  proposal INTEGER NOT NULL,
  model TEXT NOT NULL,
  answer_hash TEXT NOT NULL,
  UNIQUE(run, request_hash));
)";

// The tables that version 2 adds to version 1.
std::string call_tables() {
  return creation_of(calls_table()) + answers_table;
}

std::int64_t pragma(const Database& database, const std::string& name) {
  Statement statement = database.prepare("PRAGMA " + name);
  statement.step();
  return statement.integer(0);
}

bool has_tables(const Database& database) {
  return database.prepare("SELECT 1 FROM sqlite_schema").step();
}

// Lets one process at a time make the tables. Incomplete tables then belong to a process that was
// killed.
Descriptor lock_of(const fs::path& directory) {
  Descriptor lock(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.get() < 0 || flock(lock.get(), LOCK_EX) != 0) throw write_failure(directory);
  return lock;
}

void set_version(const Database& database) {
  database.execute("PRAGMA user_version = " + std::to_string(archive_schema_version));
}

void make_tables(const fs::path& directory, const Database& database) {
  const Descriptor lock = lock_of(directory);
  if (has_tables(database)) return;
  database.execute("PRAGMA journal_mode = WAL");
  database.transaction([&] {
    database.execute(creation_of(runs_table()) + creation_of(proposals_table()) + effects_table);
    database.execute(call_tables());
    database.execute("PRAGMA application_id = " + std::to_string(application_id));
    set_version(database);
  });
}

void upgrade_tables(const fs::path& directory, const Database& database) {
  if (has_call_tables(database)) return;
  const Descriptor lock = lock_of(directory);
  database.transaction([&] {
    if (has_call_tables(database)) return;
    database.execute(call_tables());
    set_version(database);
  });
}

void check_identity(const std::string& path, const Database& database) {
  if (pragma(database, "application_id") != application_id) {
    throw UserError(path +
                    " is a database of another program; name another directory by --archive");
  }
  const std::int64_t version = pragma(database, "user_version");
  if (version > archive_schema_version) {
    throw UserError("the archive's " + path + " has schema " + std::to_string(version) +
                    ", and this program knows those up to " +
                    std::to_string(archive_schema_version) +
                    "; use the newer program that has written it");
  }
}

void check_pages(const std::string& path, const Database& database) {
  Statement check = database.prepare("PRAGMA quick_check(1)");
  check.step();
  if (check.text(0) != "ok") throw_damaged(path, check.text(0));
}

void make_directory(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory) && !fs::is_directory(directory)) {
    throw UserError("the archive " + directory.string() +
                    " is no directory; name another by --archive");
  }
  fs::create_directories(directory, error);
  if (error) throw write_failure(directory, error.value());
}

UserError no_archive(const fs::path& directory, const std::string& why) {
  return UserError("'" + directory.string() + "' holds no archive: " + why +
                   "; name the directory of one by --archive, or make one by `" + own_command() +
                   " evolve`");
}

void need_file(const fs::path& directory, const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error)) return;
  throw no_archive(directory, error ? error.message() : "no archive.sqlite is in it");
}

}  // namespace

bool has_call_tables(const Database& database) {
  constexpr std::int64_t first_with_calls = 2;
  return pragma(database, "user_version") >= first_with_calls;
}

Database open_archive_database(const fs::path& directory, Database::Mode mode) {
  const fs::path path = directory / "archive.sqlite";
  if (fs::is_directory(path)) {
    throw no_archive(directory, path.string() + " is a directory");
  }
  if (mode == Database::Mode::create) {
    make_directory(directory);
  } else {
    need_file(directory, path);
  }
  Database database(path, mode);
  if (!has_tables(database)) {
    if (mode != Database::Mode::create) throw no_archive(directory, "its archive.sqlite is empty");
    if (fs::exists(directory / "events.jsonl")) {
      throw_damaged(path.string(), "it is empty, and the rest of an archive lies beside it");
    }
    make_tables(directory, database);
  }
  check_identity(path, database);
  if (mode == Database::Mode::read_only) return database;
  check_pages(path, database);
  upgrade_tables(directory, database);
  database.execute("PRAGMA synchronous = FULL");
  return database;
}

}  // namespace robust_kbench

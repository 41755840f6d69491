#include "archive/schema.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include "archive/database_error.hpp"
#include "archive/row_tables.hpp"
#include "archive/run_lock.hpp"
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

// Version 1 had no calls. Version 2 had answers in a table `answers`, as content.
constexpr std::int64_t without_calls = 1;
constexpr std::int64_t with_answers = 2;
constexpr const char* answers_as_effects =
    "SELECT run, 'answer/' || request_hash, '', answer_hash FROM main.answers";

std::int64_t pragma(const Database& database, const std::string& name) {
  Statement statement = database.prepare("PRAGMA " + name);
  statement.step();
  return statement.integer(0);
}

std::int64_t version_of(const Database& database) {
  return pragma(database, "user_version");
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
    database.execute(creation_of(runs_table()) + creation_of(proposals_table()) +
                     creation_of(calls_table()) + effects_table);
    database.execute("PRAGMA application_id = " + std::to_string(application_id));
    set_version(database);
  });
}

void need_no_writer(const fs::path& directory, std::int64_t version) {
  std::error_code none;
  for (const fs::directory_entry& run : fs::directory_iterator(directory / "locks", none)) {
    const std::optional<pid_t> writer = RunLock::holder(run.path());
    if (!writer) continue;
    throw UserError("the archive " + directory.string() + " has schema " + std::to_string(version) +
                    ", and cannot become " + std::to_string(archive_schema_version) +
                    " while an older program, process " + std::to_string(*writer) +
                    ", writes its run " + run.path().filename().string() +
                    "; wait until that has ended, or name another directory by --archive");
  }
}

// The table `answers` stays, since an older program may be reading it.
void upgrade_tables(const fs::path& directory, const Database& database) {
  if (version_of(database) == archive_schema_version) return;
  const Descriptor lock = lock_of(directory);
  database.transaction([&] {
    const std::int64_t version = version_of(database);
    if (version == archive_schema_version) return;
    need_no_writer(directory, version);
    if (version == without_calls) database.execute(creation_of(calls_table()));
    if (version == with_answers) {
      database.execute(std::string("INSERT INTO effects(run, key, value, value_hash) ") +
                       answers_as_effects);
    }
    set_version(database);
  });
}

// Lets this connection read an older archive as one of the current version.
void stand_in_for_tables(const Database& database) {
  const std::int64_t version = version_of(database);
  if (version == archive_schema_version) return;
  database.execute("PRAGMA temp_store = MEMORY");
  if (version == without_calls) database.execute(creation_of(calls_table(), "temp"));
  if (version == with_answers) {
    database.execute(
        std::string("CREATE TEMP VIEW effects(run, key, value, value_hash) AS "
                    "SELECT run, key, value, value_hash FROM main.effects UNION ALL ") +
        answers_as_effects);
  }
}

void check_identity(const std::string& path, const Database& database) {
  if (pragma(database, "application_id") != application_id) {
    throw UserError(path +
                    " is a database of another program; name another directory by --archive");
  }
  const std::int64_t version = version_of(database);
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
  if (mode == Database::Mode::read_only) {
    stand_in_for_tables(database);
    return database;
  }
  check_pages(path, database);
  upgrade_tables(directory, database);
  database.execute("PRAGMA synchronous = FULL");
  return database;
}

}  // namespace robust_kbench

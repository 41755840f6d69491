#include "archive/database.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "archive/database_error.hpp"
#include "archive/write_failure.hpp"

namespace robust_kbench {
namespace {

// Another process's transaction takes milliseconds, unless its disk is slow.
constexpr int busy_timeout_ms = 30'000;

// Escapes a path for an SQLite URI, where these characters are special.
std::string uri_escaped(const std::string& path) {
  std::string text;
  for (const char character : path) {
    if (character == '%') {
      text += "%25";
    } else if (character == '?') {
      text += "%3f";
    } else if (character == '#') {
      text += "%23";
    } else {
      text += character;
    }
  }
  return text;
}

// Readers of a write-ahead log share memory in a file beside it, which a read-only directory cannot
// hold. Without a log no process writes there either, so the database is immutable.
bool is_immutable(const std::filesystem::path& path) {
  return faccessat(AT_FDCWD, path.parent_path().c_str(), W_OK, AT_EACCESS) != 0 &&
         !std::filesystem::exists(path.string() + "-wal");
}

int flags_of(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::read_write:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::read_only:
      break;
  }
  return SQLITE_OPEN_READONLY;
}

}  // namespace

Statement::Statement(sqlite3* database, std::string_view sql) : m_database(database) {
  sqlite3_stmt* statement = nullptr;
  check(
      sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
  m_statement.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

bool Statement::step() {
  const int code = sqlite3_step(m_statement.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) throw_database_error(m_database);
  return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
  return {bytes, bytes + sqlite3_column_bytes(m_statement.get(), column)};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(m_statement.get(), column);
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(m_statement.get(), column);
}

void Statement::bind_at(int index, std::int64_t value) {
  check(sqlite3_bind_int64(m_statement.get(), index, value));
}

void Statement::bind_at(int index, std::string_view value) {
  check(sqlite3_bind_text64(m_statement.get(), index, value.data(), value.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
}

void Statement::bind_at(int index, std::optional<double> value) {
  check(value ? sqlite3_bind_double(m_statement.get(), index, *value)
              : sqlite3_bind_null(m_statement.get(), index));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw_database_error(m_database);
}

Database::Database(const std::filesystem::path& path, Mode mode) {
  std::string uri = "file:" + uri_escaped(std::filesystem::absolute(path).string());
  if (mode == Mode::read_only && is_immutable(path)) uri += "?immutable=1";
  sqlite3* database = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &database, flags_of(mode) | SQLITE_OPEN_URI, nullptr);
  m_database.reset(database);
  if (code != SQLITE_OK) throw_database_error(database);
  // SQLite falls back to reading where it may not write.
  if (mode != Mode::read_only && sqlite3_db_readonly(database, "main") == 1) {
    throw write_failure(path, EACCES);
  }
  sqlite3_busy_timeout(database, busy_timeout_ms);
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

Statement Database::prepare(std::string_view sql) const {
  return {m_database.get(), sql};
}

void Database::execute(const std::string& sql) const {
  if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw_database_error(m_database.get());
  }
}

void Database::transaction(const std::function<void()>& change) const {
  execute("BEGIN IMMEDIATE");
  try {
    change();
    execute("COMMIT");
  } catch (...) {
    // SQLite rolls back itself after some failures.
    if (sqlite3_get_autocommit(m_database.get()) == 0) execute("ROLLBACK");
    throw;
  }
}

}  // namespace robust_kbench

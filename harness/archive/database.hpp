#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace robust_kbench {

// A prepared statement of a Database, which it must not outlive.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);

  // Binds the parameters in their order. An empty optional is NULL.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int index = 0;
    (bind_at(++index, values), ...);
    return *this;
  }
  // Binds one parameter, counted from 1.
  void bind_at(int index, std::int64_t value);
  void bind_at(int index, std::string_view value);
  void bind_at(int index, std::optional<double> value);
  // Advances to the next row. False where there is none.
  bool step();

  // A column of the current row, counted from 0.
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;  // nullopt: NULL

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void check(int code) const;

  sqlite3* m_database;
  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

// A connection to an SQLite file. Functions throw UserError where the file is damaged, no database,
// locked for long or cannot be written, and HarnessError for a fault of ours.
class Database {
 public:
  enum class Mode { create, read_write, read_only };

  Database(const std::filesystem::path& path, Mode mode);

  [[nodiscard]] Statement prepare(std::string_view sql) const;
  // Runs statements without parameters, and ignores their rows.
  void execute(const std::string& sql) const;
  // Commits everything that `change` writes, or nothing where it throws.
  void transaction(const std::function<void()>& change) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  std::unique_ptr<sqlite3, Close> m_database;
};

}  // namespace robust_kbench

#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "archive/database.hpp"
#include "core/error.hpp"

#include <nlohmann/json.hpp>

// Tables whose columns are listed in one place, from which SQL, JSON and rows are made.
namespace robust_kbench {

// The storage class of a column in SQLite. JSON is stored as its text.
enum class CellKind { text, integer, real, json };

template <typename Row>
struct Column {
  std::string name;
  CellKind kind = CellKind::text;
  bool may_be_null = false;
  std::function<nlohmann::json(const Row&)> get;
  std::function<void(Row&, const nlohmann::json&)> set;  // of a row that is new
};

template <typename Row>
struct RowTable {
  std::string name;
  std::string key;           // the columns that identify a row: "run, id"
  bool is_numbered = false;  // a column `number` keeps the order in which rows came
  std::vector<Column<Row>> columns;
};

// The column of one member of a row: a text, a number, an optional one, or a type that JSON can
// hold.
template <typename Row, typename Value>
requires(!std::is_enum_v<Value>) Column<Row> column(const std::string& name, Value Row::*member) {
  Column<Row> made{.name = name, .kind = CellKind::json};
  if constexpr (std::same_as<Value, std::string>) made.kind = CellKind::text;
  if constexpr (std::integral<Value>) made.kind = CellKind::integer;
  if constexpr (std::same_as<Value, double>) made.kind = CellKind::real;
  if constexpr (std::same_as<Value, std::optional<double>>) {
    made.kind = CellKind::real;
    made.may_be_null = true;
    made.get = [member](const Row& row) {
      return row.*member ? nlohmann::json(*(row.*member)) : nlohmann::json(nullptr);
    };
    made.set = [member](Row& row, const nlohmann::json& cell) {
      if (!cell.is_null()) row.*member = cell.get<double>();
    };
  } else {
    made.get = [member](const Row& row) { return nlohmann::json(row.*member); };
    made.set = [member](Row& row, const nlohmann::json& cell) { cell.get_to(row.*member); };
  }
  return made;
}

// The column of a member that is an enumeration. Its names are the texts.
template <typename Row, typename Enum>
Column<Row> column(const std::string& name, Enum Row::*member, Enum (*parse)(std::string_view)) {
  return {.name = name,
          .get = [member](const Row& row) { return nlohmann::json(to_string(row.*member)); },
          .set =
              [name, member, parse](Row& row, const nlohmann::json& cell) {
                try {
                  row.*member = parse(cell.get_ref<const std::string&>());
                } catch (const UserError& error) {
                  throw UserError("the archive's column " + name + " cannot be read: " +
                                  error.what() + "; read it with the rkb that wrote it");
                }
              }};
}

void bind_cell(Statement& statement, int index, CellKind kind, const nlohmann::json& cell);
nlohmann::json read_cell(const Statement& statement, int column, CellKind kind);
std::string type_of(CellKind kind);

template <typename Row>
std::string column_names(const RowTable<Row>& table) {
  std::string names;
  for (const Column<Row>& column : table.columns) {
    names += (names.empty() ? "" : ", ") + column.name;
  }
  return names;
}

// The statement that makes the table, in the file or, as `temp`, in this connection alone.
template <typename Row>
std::string creation_of(const RowTable<Row>& table, const std::string& where = "main") {
  std::string text = "CREATE TABLE " + where + "." + table.name + "(";
  if (table.is_numbered) text += "number INTEGER PRIMARY KEY, ";
  for (const Column<Row>& column : table.columns) {
    text += column.name + " " + type_of(column.kind) + (column.may_be_null ? ", " : " NOT NULL, ");
  }
  return text + (table.is_numbered ? "UNIQUE(" : "PRIMARY KEY(") + table.key + "));";
}

// Inserts the row, or replaces the one of that key.
template <typename Row>
void write_row(const Database& database, const RowTable<Row>& table, const Row& row) {
  std::string places;
  std::string changes;
  for (const Column<Row>& column : table.columns) {
    places += places.empty() ? "?" : ", ?";
    changes += (changes.empty() ? "" : ", ") + column.name + " = excluded." + column.name;
  }
  Statement statement =
      database.prepare("INSERT INTO " + table.name + "(" + column_names(table) + ") VALUES(" +
                       places + ") ON CONFLICT(" + table.key + ") DO UPDATE SET " + changes);
  int index = 0;
  for (const Column<Row>& column : table.columns) {
    bind_cell(statement, ++index, column.kind, column.get(row));
  }
  statement.step();
}

// The rows of `SELECT ... FROM table condition`, whose parameters are `values`.
template <typename Row, typename... Values>
std::vector<Row> read_rows(const Database& database, const RowTable<Row>& table,
                           const std::string& condition, const Values&... values) {
  Statement statement =
      database.prepare("SELECT " + column_names(table) + " FROM " + table.name + " " + condition);
  statement.bind(values...);
  std::vector<Row> rows;
  while (statement.step()) {
    Row& row = rows.emplace_back();
    int index = 0;
    for (const Column<Row>& column : table.columns) {
      column.set(row, read_cell(statement, index++, column.kind));
    }
  }
  return rows;
}

// The row that meets the condition, which at most one row does.
template <typename Row, typename... Values>
std::optional<Row> read_row(const Database& database, const RowTable<Row>& table,
                            const std::string& condition, const Values&... values) {
  std::vector<Row> rows = read_rows(database, table, condition, values...);
  return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
}

// Every column by its name.
template <typename Row>
nlohmann::json row_json(const RowTable<Row>& table, const Row& row) {
  nlohmann::json json = nlohmann::json::object();
  for (const Column<Row>& column : table.columns) json[column.name] = column.get(row);
  return json;
}

}  // namespace robust_kbench

#include "archive/table.hpp"

#include "core/parse_json.hpp"

namespace robust_kbench {

void bind_cell(Statement& statement, int index, CellKind kind, const nlohmann::json& cell) {
  if (cell.is_null() && kind != CellKind::json) {
    statement.bind_at(index, std::optional<double>());
    return;
  }
  switch (kind) {
    case CellKind::text:
      statement.bind_at(index, cell.get_ref<const std::string&>());
      break;
    case CellKind::integer:
      statement.bind_at(index, cell.get<std::int64_t>());
      break;
    case CellKind::real:
      statement.bind_at(index, std::optional(cell.get<double>()));
      break;
    case CellKind::json:
      statement.bind_at(index, cell.dump());
      break;
  }
}

nlohmann::json read_cell(const Statement& statement, int column, CellKind kind) {
  if (!statement.real(column)) return nullptr;
  switch (kind) {
    case CellKind::text:
      return statement.text(column);
    case CellKind::integer:
      return statement.integer(column);
    case CellKind::real:
      return *statement.real(column);
    case CellKind::json:
      break;
  }
  return parse_json(statement.text(column));
}

std::string type_of(CellKind kind) {
  switch (kind) {
    case CellKind::integer:
      return "INTEGER";
    case CellKind::real:
      return "REAL";
    case CellKind::text:
    case CellKind::json:
      break;
  }
  return "TEXT";
}

}  // namespace robust_kbench

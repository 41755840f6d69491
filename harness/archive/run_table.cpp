#include "archive/run_table.hpp"

#include "core/parse_json.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* select_runs =
    "SELECT id, task, direction, device, seed, settings, state, stop_reason, winner, summary, "
    "started_at, ended_at FROM runs ";

RunRow run_of(const Statement& row) {
  int column = 0;
  RunRow run;
  run.id = row.text(column++);
  run.entry.task = row.text(column++);
  run.entry.direction = parse_direction(row.text(column++));
  run.device = parse_device(row.text(column++));
  run.seed = std::stoull(row.text(column++));
  run.settings = parse_json(row.text(column++));
  run.state = row.text(column++);
  run.stop_reason = row.text(column++);
  run.winner = row.integer(column++);
  run.summary = parse_json(row.text(column++));
  run.started_at = row.text(column++);
  run.ended_at = row.text(column++);
  return run;
}

}  // namespace

std::string next_run_id(const Database& database, const Entry& entry, Device device) {
  Statement count =
      database.prepare("SELECT count(*) FROM runs WHERE task = ? AND direction = ? AND device = ?");
  count.bind(entry.task, to_string(entry.direction), to_string(device)).step();
  return entry.name() + "." + std::string(to_string(device)) + "." +
         std::to_string(count.integer(0) + 1);
}

void write_run(const Database& database, const RunRow& run) {
  database
      .prepare(
          "INSERT INTO runs(id, task, direction, device, seed, settings, state, stop_reason, "
          "winner, summary, started_at, ended_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
          "ON CONFLICT(id) DO UPDATE SET task = excluded.task, direction = excluded.direction, "
          "device = excluded.device, seed = excluded.seed, settings = excluded.settings, "
          "state = excluded.state, stop_reason = excluded.stop_reason, winner = excluded.winner, "
          "summary = excluded.summary, started_at = excluded.started_at, "
          "ended_at = excluded.ended_at")
      .bind(run.id, run.entry.task, to_string(run.entry.direction), to_string(run.device),
            std::to_string(run.seed), run.settings.dump(), run.state, run.stop_reason, run.winner,
            run.summary.dump(), run.started_at, run.ended_at)
      .step();
}

std::optional<RunRow> read_run(const Database& database, const std::string& id) {
  Statement row = database.prepare(std::string(select_runs) + "WHERE id = ?");
  if (!row.bind(id).step()) return std::nullopt;
  return run_of(row);
}

std::vector<RunRow> read_runs(const Database& database) {
  Statement row = database.prepare(std::string(select_runs) + "ORDER BY number");
  std::vector<RunRow> runs;
  while (row.step()) runs.push_back(run_of(row));
  return runs;
}

}  // namespace robust_kbench

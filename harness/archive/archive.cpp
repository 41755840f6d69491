#include "archive/archive.hpp"

#include <stdexcept>

#include "archive/database_error.hpp"
#include "archive/row_tables.hpp"
#include "archive/schema.hpp"
#include "archive/timestamp.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Most bytes of a journal's value in a table cell: a page of SQLite. A longer value is a file,
// which costs two syncs.
constexpr std::size_t largest_cell = 4096;

// SQLite finds damage in its own pages. These exceptions show damage in the content of cells.
template <typename Read>
auto checked(const fs::path& directory, const Read& read) {
  try {
    return read();
  } catch (const json::exception& error) {
    throw_damaged((directory / "archive.sqlite").string(), error.what());
  } catch (const std::logic_error& error) {
    throw_damaged((directory / "archive.sqlite").string(), error.what());
  }
}

fs::path lock_path(const fs::path& directory, const std::string& run) {
  return directory / "locks" / run;
}

UserError unknown_run(const std::string& id, const std::vector<RunRow>& runs) {
  std::string known;
  for (const RunRow& run : runs) known += (known.empty() ? "" : ", ") + run.id;
  return UserError("run '" + id +
                   "' is not in the archive; known: " + (known.empty() ? "none" : known));
}

// "layernorm.forward.cpu.3" for the third of its entry and device.
std::string next_run_id(const Database& database, const Entry& entry, Device device) {
  Statement count =
      database.prepare("SELECT count(*) FROM runs WHERE task = ? AND direction = ? AND device = ?");
  count.bind(entry.task, to_string(entry.direction), to_string(device)).step();
  return entry.name() + "." + std::string(to_string(device)) + "." +
         std::to_string(count.integer(0) + 1);
}

std::optional<ProposalRow> proposal_of(const Database& database, const std::string& run,
                                       std::int64_t id) {
  return read_row(database, proposals_table(), "WHERE run = ? AND id = ?", run, id);
}

// The fields that a reader of the stream needs at once. Everything else is in the tables.
json event_of(const ProposalRow& proposal) {
  const json row = proposal;
  json event{{"event", "proposal"}};
  for (const char* column :
       {"id", "generation", "sample", "stage", "outcome", "reason_class", "reason", "parents",
        "proposer", "strategy", "speedup", "ci_low", "ci_high", "source_hash"}) {
    event[column] = row.at(column);
  }
  return event;
}

json event_of(const RunRow& run, const char* name) {
  return {{"event", name},
          {"entry", run.entry.name()},
          {"device", to_string(run.device)},
          {"seed", run.seed},
          {"settings", run.settings},
          {"state", to_string(run.state)},
          {"stop_reason", run.stop_reason},
          {"winner", run.winner},
          {"summary", run.summary}};
}

}  // namespace

Archive::Archive(const fs::path& directory, Mode mode)
    : m_directory(fs::absolute(directory)),
      m_mode(mode),
      m_database(open_archive_database(m_directory, mode)),
      m_content(m_directory / "content"),
      m_events(m_directory / "events.jsonl") {}

std::string Archive::put_content(std::string_view text) {
  const std::lock_guard lock(m_mutex);
  need_writable();
  return m_content.put(text);
}

std::string Archive::content(const std::string& hash) const {
  const std::lock_guard lock(m_mutex);
  return m_content.get(hash);
}

fs::path Archive::content_path(const std::string& hash) const {
  return m_content.path(hash);
}

RunRow Archive::begin_run(const Entry& entry, Device device, std::uint64_t seed,
                          const json& settings) {
  const std::lock_guard lock(m_mutex);
  need_writable();
  RunRow run{.entry = entry, .device = device, .seed = seed, .settings = settings};
  run.started_at = timestamp();
  m_database.transaction([&] {
    run.id = next_run_id(m_database, entry, device);
    m_locks.try_emplace(run.id, lock_path(m_directory, run.id), run.id);
    write_row(m_database, runs_table(), run);
  });
  event(run.id, event_of(run, "run_started"));
  return run;
}

void Archive::update_run(const RunRow& run) {
  const std::lock_guard lock(m_mutex);
  const RunRow known = this->run(run.id);
  RunRow changed = run;
  changed.ended_at = known.ended_at;
  if (known == changed) return;
  if (run.state == RunState::running) changed.ended_at.clear();
  if (run.state != RunState::running && known.state == RunState::running)
    changed.ended_at = timestamp();
  hold(run.id);
  write_row(m_database, runs_table(), changed);
  event(run.id, event_of(changed, "run_changed"));
}

std::vector<RunRow> Archive::runs() const {
  const std::lock_guard lock(m_mutex);
  return checked(m_directory,
                 [&] { return read_rows(m_database, runs_table(), "ORDER BY number"); });
}

RunRow Archive::run(const std::string& id) const {
  const std::lock_guard lock(m_mutex);
  const auto found =
      checked(m_directory, [&] { return read_row(m_database, runs_table(), "WHERE id = ?", id); });
  if (!found) throw unknown_run(id, runs());
  return *found;
}

std::optional<pid_t> Archive::writer_of(const std::string& run) const {
  return RunLock::holder(lock_path(m_directory, run));
}

void Archive::save(const ProposalRow& proposal) {
  const std::lock_guard lock(m_mutex);
  hold(proposal.run);
  const auto known =
      checked(m_directory, [&] { return proposal_of(m_database, proposal.run, proposal.id); });
  if (known == proposal) return;
  write_row(m_database, proposals_table(), proposal);
  event(proposal.run, event_of(proposal));
}

std::vector<ProposalRow> Archive::proposals(const std::string& run) const {
  const std::lock_guard lock(m_mutex);
  (void)this->run(run);
  return checked(m_directory, [&] {
    return read_rows(m_database, proposals_table(), "WHERE run = ? ORDER BY id", run);
  });
}

ProposalRow Archive::proposal(const std::string& run, std::int64_t id) const {
  const std::lock_guard lock(m_mutex);
  (void)this->run(run);
  const auto found = checked(m_directory, [&] { return proposal_of(m_database, run, id); });
  if (found) return *found;
  throw UserError("run " + run + " has no proposal " + std::to_string(id) + "; it has " +
                  std::to_string(proposals(run).size()) + ", counted from 1");
}

CallRow Archive::add_call(CallRow row, const std::vector<std::string>& runs,
                          const std::function<void(CallRow&, const CallTotals&)>& decide) {
  const std::lock_guard lock(m_mutex);
  hold(row.identity.run);
  m_database.transaction([&] {
    row.attempt = next_attempt(m_database, row.identity.run, row.identity.call);
    row.started_at = timestamp();
    decide(row, call_totals(runs));
    write_row(m_database, calls_table(), row);
  });
  return row;
}

void Archive::end_call(const CallRow& row) {
  const std::lock_guard lock(m_mutex);
  hold(row.identity.run);
  write_row(m_database, calls_table(), row);
}

std::vector<CallRow> Archive::calls(const std::string& run) const {
  const std::lock_guard lock(m_mutex);
  return checked(m_directory, [&] {
    return read_rows(m_database, calls_table(), "WHERE run = ? ORDER BY number", run);
  });
}

CallTotals Archive::call_totals(const std::vector<std::string>& runs) const {
  const std::lock_guard lock(m_mutex);
  return sum_calls(m_database, runs);
}

std::optional<json> Archive::effect(const std::string& run, const std::string& key) const {
  const std::lock_guard lock(m_mutex);
  Statement row =
      m_database.prepare("SELECT value, value_hash FROM effects WHERE run = ? AND key = ?");
  if (!row.bind(run, key).step()) return std::nullopt;
  const std::string hash = row.text(1);
  const std::string value = hash.empty() ? row.text(0) : m_content.get(hash);
  return checked(m_directory, [&] { return parse_json(value); });
}

void Archive::record_effect(const std::string& run, const std::string& key, const json& value) {
  const std::lock_guard lock(m_mutex);
  hold(run);
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (const std::optional<json> known = effect(run, key)) {
    if (known->dump() == text) return;
    throw HarnessError("run " + run + " has recorded another value under '" + key + "' before");
  }
  const bool is_large = text.size() > largest_cell;
  m_database.prepare("INSERT INTO effects(run, key, value, value_hash) VALUES(?, ?, ?, ?)")
      .bind(run, key, is_large ? "" : text, is_large ? m_content.put(text) : "")
      .step();
}

void Archive::event(const std::string& run, const json& event) {
  const std::lock_guard lock(m_mutex);
  hold(run);
  json line = event;
  line["run"] = run;
  line["at"] = timestamp();
  m_events.append(line);
}

std::vector<json> Archive::events(const std::string& run) const {
  const std::lock_guard lock(m_mutex);
  return m_events.of_run(run);
}

void Archive::need_writable() const {
  if (m_mode == Mode::read_only) {
    throw HarnessError("the archive " + m_directory.string() + " was opened for reading alone");
  }
}

void Archive::hold(const std::string& run) {
  need_writable();
  if (m_locks.contains(run)) return;
  (void)this->run(run);
  m_locks.try_emplace(run, lock_path(m_directory, run), run);
}

}  // namespace robust_kbench

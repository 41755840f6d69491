#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "archive/call_row.hpp"
#include "archive/call_table.hpp"
#include "archive/content_store.hpp"
#include "archive/database.hpp"
#include "archive/event_log.hpp"
#include "archive/rows.hpp"
#include "archive/run_lock.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Everything that evolutions ever proposed: a directory with archive.sqlite, content/ and
// events.jsonl.
//
// When a function returns, its data are on the disk, and they stay whole if the process is killed
// at any point. Any number of processes may read. Only one at a time may write to a run. The first
// writing call takes the run's lock, which this object holds for its lifetime.
//
// Functions throw UserError for a directory without an archive, or with a foreign, damaged or newer
// one. They also do for a full disk, a missing permission, or a run that another process writes.
// Earlier data stay whole then. Threads may share an object.
class Archive {
 public:
  // `create` makes missing parts. The other modes need an archive that exists.
  using Mode = Database::Mode;

  Archive(const std::filesystem::path& directory, Mode mode);

  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory; }

  // Stores a text and returns its SHA-256 in hexadecimal. Equal texts are stored once.
  std::string put_content(std::string_view text);
  [[nodiscard]] std::string content(const std::string& hash) const;
  [[nodiscard]] std::filesystem::path content_path(const std::string& hash) const;

  // Adds a run with the state `running`, under an id of its own, and takes its lock. Writes the
  // event `run_started`.
  RunRow begin_run(const Entry& entry, Device device, std::uint64_t seed,
                   const nlohmann::json& settings);
  // Replaces the run of that id. Writes the event `run_changed` if anything differs.
  void update_run(const RunRow& run);
  [[nodiscard]] std::vector<RunRow> runs() const;  // in the order in which they began
  [[nodiscard]] RunRow run(const std::string& id) const;
  // Takes the run's lock, as every function that writes to the run does first.
  void hold(const std::string& run);
  // The process that holds the run's lock; nullopt if no process writes to it.
  [[nodiscard]] std::optional<pid_t> writer_of(const std::string& run) const;

  // Inserts or replaces by (run, id). Writes the event `proposal`. An equal row changes nothing.
  void save(const ProposalRow& proposal);
  [[nodiscard]] std::vector<ProposalRow> proposals(const std::string& run) const;  // by id
  [[nodiscard]] ProposalRow proposal(const std::string& run, std::int64_t id) const;

  // Adds the row as the next attempt of its call, and returns it. `decide` gets the totals of all
  // `runs` and may change the row before. No other thread or process adds or ends a call in
  // between.
  CallRow add_call(CallRow row, const std::vector<std::string>& runs,
                   const std::function<void(CallRow&, const CallTotals&)>& decide);
  // Replaces the row of that run, call and attempt.
  void end_call(const CallRow& row);
  [[nodiscard]] std::vector<CallRow> calls(const std::string& run) const;  // in their order
  [[nodiscard]] CallTotals call_totals(const std::vector<std::string>& runs) const;

  // The journal of a run. An effect is an answer of a language model, an evaluation, a clock
  // reading. Each is recorded once under a key, so that a run which was killed continues from its
  // journal.
  [[nodiscard]] std::optional<nlohmann::json> effect(const std::string& run,
                                                     const std::string& key) const;
  // The same value again changes nothing. Throws HarnessError for another value under a known key.
  // Bytes that are no UTF-8 are replaced.
  void record_effect(const std::string& run, const std::string& key, const nlohmann::json& value);

  // Appends an object to events.jsonl. `run` and `at`, the time in UTC, are added to its fields.
  void event(const std::string& run, const nlohmann::json& event);
  // Returns the run's events in their order.
  [[nodiscard]] std::vector<nlohmann::json> events(const std::string& run) const;

 private:
  void need_writable() const;

  std::filesystem::path m_directory;
  Mode m_mode;
  Database m_database;
  ContentStore m_content;
  EventLog m_events;
  std::map<std::string, RunLock> m_locks;  // by run
  // Recursive, since public functions call each other.
  mutable std::recursive_mutex m_mutex;
};

}  // namespace robust_kbench

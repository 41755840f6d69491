#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

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
// What a function has written is on the disk when it returns, and stays whole if the process is
// killed at any point. Any number of processes may read. One at a time may write to a run: the
// first call that does so takes the run's lock. This object holds it while it lives.
//
// Functions throw UserError for what a user can mend. That is a directory without an archive, or
// with a foreign, damaged or newer one. It is also a full disk, a missing permission, or a run that
// another process writes. Nothing that was there before is lost then. Threads may share an object.
class Archive {
 public:
  // `create` makes what is missing. The others need an archive that exists.
  using Mode = Database::Mode;

  Archive(const std::filesystem::path& directory, Mode mode);

  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory; }

  // Keeps a text and returns its SHA-256 in hexadecimal. A text that is there already is kept once.
  std::string put_content(std::string_view text);
  [[nodiscard]] std::string content(const std::string& hash) const;
  [[nodiscard]] std::filesystem::path content_path(const std::string& hash) const;

  // Adds a run that is `running` since now, under an id of its own, and takes its lock. Writes the
  // event `run_started`.
  RunRow begin_run(const Entry& entry, Device device, std::uint64_t seed,
                   const nlohmann::json& settings);
  // Replaces the run of that id. Writes the event `run_changed` where anything differs.
  void update_run(const RunRow& run);
  [[nodiscard]] std::vector<RunRow> runs() const;  // in the order in which they began
  [[nodiscard]] RunRow run(const std::string& id) const;
  // Takes the run's lock, as whatever writes to the run does when it begins.
  void hold(const std::string& run);
  // The process that holds the run's lock; none: nobody writes to it now.
  [[nodiscard]] std::optional<pid_t> writer_of(const std::string& run) const;

  // Inserts or replaces by (run, id). Writes the event `proposal`. A row that is there already
  // changes nothing.
  void save(const ProposalRow& proposal);
  [[nodiscard]] std::vector<ProposalRow> proposals(const std::string& run) const;  // by id
  [[nodiscard]] ProposalRow proposal(const std::string& run, std::int64_t id) const;

  // The journal of a run. An effect is an answer of an LLM, an evaluation, a clock reading. Each is
  // recorded once under a key, so that a run which was killed goes on from what it has.
  [[nodiscard]] std::optional<nlohmann::json> effect(const std::string& run,
                                                     const std::string& key) const;
  // The same value again changes nothing. Throws HarnessError for another value under a known key.
  void record_effect(const std::string& run, const std::string& key, const nlohmann::json& value);

  // Appends an object to events.jsonl. `run` and `at`, the time in UTC, are added to its fields.
  void event(const std::string& run, const nlohmann::json& event);

 private:
  void need_writable() const;

  std::filesystem::path m_directory;
  Mode m_mode;
  Database m_database;
  ContentStore m_content;
  EventLog m_events;
  std::map<std::string, RunLock> m_locks;  // by run
  // Public functions call each other.
  mutable std::recursive_mutex m_mutex;
};

}  // namespace robust_kbench

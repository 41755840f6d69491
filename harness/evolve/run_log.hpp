#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "archive/archive.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The rows and events of one run, as the archive keeps them and a listener sees them. Threads may
// share it.
class RunLog {
 public:
  // An event is a line of events.jsonl (docs/archive.md).
  using OnEvent = std::function<void(const nlohmann::json& event)>;

  // Knows the rows that the run has already. The archive outlives this object.
  RunLog(Archive& archive, std::string run, OnEvent on_event);

  void event(const std::string& kind, nlohmann::json event);
  // A row keeps the time at which it was made first.
  void save(const ProposalRow& row);
  [[nodiscard]] ProposalRow row(std::int64_t id) const;
  [[nodiscard]] std::map<std::int64_t, ProposalRow> rows() const;  // by ProposalRow::id

 private:
  Archive& m_archive;
  const std::string m_run;
  const OnEvent m_on_event;
  mutable std::mutex m_mutex;
  std::map<std::int64_t, ProposalRow> m_rows;
};

}  // namespace robust_kbench

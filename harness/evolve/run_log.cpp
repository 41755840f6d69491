#include "evolve/run_log.hpp"

#include <utility>

#include "archive/timestamp.hpp"

namespace robust_kbench {

RunLog::RunLog(Archive& archive, std::string run, OnEvent on_event)
    : m_archive(archive), m_run(std::move(run)), m_on_event(std::move(on_event)) {
  for (ProposalRow& row : archive.proposals(m_run)) m_rows[row.id] = std::move(row);
}

void RunLog::event(const std::string& kind, nlohmann::json event) {
  event["event"] = kind;
  const std::lock_guard lock(m_mutex);
  if (m_on_event) m_on_event(event);
  m_archive.event(m_run, event);
}

void RunLog::save(const ProposalRow& row) {
  const std::lock_guard lock(m_mutex);
  ProposalRow& known = m_rows[row.id];
  const std::string created_at = known.created_at.empty() ? timestamp() : known.created_at;
  known = row;
  known.created_at = created_at;
  m_archive.save(known);
  if (m_on_event) {
    m_on_event({{"event", "proposal"},
                {"id", row.id},
                {"generation", row.generation},
                {"stage", to_string(row.stage)},
                {"outcome", to_string(row.outcome)},
                {"reason_class", row.reason_class},
                {"reason", row.reason},
                {"proposer", row.proposer},
                {"strategy", row.strategy}});
  }
}

ProposalRow RunLog::row(std::int64_t id) const {
  const std::lock_guard lock(m_mutex);
  return m_rows.at(id);
}

std::map<std::int64_t, ProposalRow> RunLog::rows() const {
  const std::lock_guard lock(m_mutex);
  return m_rows;
}

}  // namespace robust_kbench

#include "archive/journal.hpp"

#include <utility>

#include "core/error.hpp"

namespace robust_kbench {

Journal::Journal(Archive& archive, std::string run, std::optional<RecordedRun> recorded)
    : m_archive(archive), m_run(std::move(run)), m_recorded(std::move(recorded)) {}

std::optional<nlohmann::json> Journal::find(const std::string& key) const {
  if (auto known = m_archive.effect(m_run, key)) return known;
  return m_recorded ? m_recorded->archive.effect(m_recorded->run, key) : std::nullopt;
}

bool Journal::knows(const std::string& key) const {
  return m_recorded || m_archive.effect(m_run, key);
}

nlohmann::json Journal::once(const std::string& key,
                             const std::function<nlohmann::json()>& effect) {
  if (std::optional<nlohmann::json> known = m_archive.effect(m_run, key)) return *std::move(known);
  nlohmann::json value;
  if (m_recorded) {
    std::optional<nlohmann::json> known = m_recorded->archive.effect(m_recorded->run, key);
    if (!known) {
      throw UserError("the recorded run '" + m_recorded->run + "' has no '" + key +
                      "': its settings, kernels or version differ; replay it with what made it");
    }
    value = *std::move(known);
  } else {
    value = effect();
  }
  m_archive.record_effect(m_run, key, value);
  return value;
}

}  // namespace robust_kbench

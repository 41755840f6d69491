#include "evolve/journal.hpp"

#include <utility>

#include "core/error.hpp"

namespace robust_kbench {

Journal::Journal(Archive& archive, std::string run, std::optional<RecordedRun> recorded)
    : m_archive(archive), m_run(std::move(run)), m_recorded(std::move(recorded)) {}

nlohmann::json Journal::once(const std::string& key,
                             const std::function<nlohmann::json()>& effect) {
  if (std::optional<nlohmann::json> known = m_archive.effect(m_run, key)) {
    m_was_known = true;
    return *std::move(known);
  }
  m_was_known = m_recorded.has_value();
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

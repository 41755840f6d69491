#include "check/limits_cache.hpp"

namespace robust_kbench {

OutputLimits LimitsCache::get(const std::string& key,
                              const std::function<std::vector<PrecisionLimits>()>& measure) {
  Kept* kept = nullptr;
  {
    const std::scoped_lock lock(m_mutex);
    kept = &m_kept[key];
  }
  const std::scoped_lock lock(kept->mutex);
  if (!kept->limits) {
    kept->limits =
        std::make_shared<const std::vector<PrecisionLimits>>(shared_or_measured(key, measure));
  }
  return kept->limits;
}

std::vector<PrecisionLimits> LimitsCache::shared_or_measured(
    const std::string& key, const std::function<std::vector<PrecisionLimits>()>& measure) {
  if (!m_shared) return measure();
  if (auto found = m_shared->find(m_prefix + key)) return *std::move(found);
  std::vector<PrecisionLimits> measured = measure();
  m_shared->add(m_prefix + key, measured);
  return measured;
}

std::string content_kind(const Case& of, std::uint64_t seed) {
  std::string kind = "typical";
  if (of.probe) kind = std::string(to_string(*of.probe));
  if (has_two_kinds(of)) kind += seed % 2 != 0 ? " odd" : " even";
  for (const auto& [name, value] : of.config.params.values()) {
    kind += " " + name + "=" + to_string(value);
  }
  return kind;
}

bool has_two_kinds(const Case& of) {
  return of.probe == Probe::weights_scaled || of.probe == Probe::gradients_scaled ||
         of.probe == Probe::near_ties;
}

}  // namespace robust_kbench

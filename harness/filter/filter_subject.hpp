#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/call_checker.hpp"
#include "check/content_cache.hpp"
#include "check/limits_cache.hpp"
#include "core/case.hpp"
#include "core/manifest.hpp"
#include "filter/filter_options.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// One direction of a task, as all filters examine it. Contents and limits are kept, since several
// filters use the same.
class FilterSubject {
 public:
  // `task` and `manifest` outlive it. Throws UserError where no config is listed.
  FilterSubject(const Manifest& manifest, const Task& task, Direction direction,
                const FilterOptions& options);

  [[nodiscard]] const Task& task() const { return m_task; }
  [[nodiscard]] const Manifest& manifest() const { return m_manifest; }
  [[nodiscard]] Direction direction() const { return m_direction; }
  [[nodiscard]] const FilterOptions& options() const { return m_options; }
  [[nodiscard]] c10::Device device() const;
  // The configs that filters measure.
  [[nodiscard]] const std::vector<Config>& configs() const { return m_configs; }
  [[nodiscard]] Workload workload(const Params& params) const;

  // Typical content of a config, with float64 references.
  [[nodiscard]] std::shared_ptr<const Content> typical(const Config& config,
                                                       std::uint64_t seed) const;
  [[nodiscard]] std::shared_ptr<const Content> content(const Case& of, std::uint64_t seed) const;
  // The limits of kernels on the content that `seed` makes of a case.
  [[nodiscard]] OutputLimits limits(const Case& of, std::uint64_t seed) const;

 private:
  const Manifest& m_manifest;
  const Task& m_task;
  const Direction m_direction;
  const FilterOptions& m_options;
  std::vector<Config> m_configs;
  mutable LimitsCache m_limits;
  mutable ContentCache m_contents;
};

}  // namespace robust_kbench

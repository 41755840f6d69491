#include "filter/filter_subject.hpp"

#include "check/case_limits.hpp"
#include "evaluate/scope.hpp"
#include "tensor/torch_cuda.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 30;

// A file may lack the usual set.
std::vector<Config> measured_configs(const Manifest& manifest, const Task& task,
                                     Direction direction, const FilterOptions& options) {
  if (options.configs) return configs_of(manifest, task, direction, {*options.configs});
  for (const ConfigSet set : {usual_timed_configs(options.device), ConfigSet::small,
                              ConfigSet::single, ConfigSet::multi}) {
    std::vector<Config> configs = any_configs_of(manifest, task, direction, {set});
    if (!configs.empty()) return configs;
  }
  return configs_of(manifest, task, direction, {usual_timed_configs(options.device)});
}

}  // namespace

FilterSubject::FilterSubject(const Manifest& manifest, const Task& task, Direction direction,
                             const FilterOptions& options)
    : m_manifest(manifest),
      m_task(task),
      m_direction(direction),
      m_options(options),
      m_configs(measured_configs(manifest, task, direction, options)),
      m_contents(kept_bytes) {}

c10::Device FilterSubject::device() const {
  return device_for(m_options.device == Device::cuda);
}

Workload FilterSubject::workload(const Params& params) const {
  return {m_task, m_direction, params};
}

std::shared_ptr<const Content> FilterSubject::typical(const Config& config,
                                                      std::uint64_t seed) const {
  return content({.config = config, .seed = seed}, seed);
}

std::shared_ptr<const Content> FilterSubject::content(const Case& of, std::uint64_t seed) const {
  return m_contents.get(content_key(of, seed), [&] {
    return make_content(workload(of.config.params), seed, device(), of.probe);
  });
}

OutputLimits FilterSubject::limits(const Case& of, std::uint64_t seed) const {
  return m_limits.get(content_kind(of, seed), [&] {
    return case_limits(workload(of.config.params), of, seed,
                       [&](std::uint64_t drawn) { return content(of, drawn); });
  });
}

}  // namespace robust_kbench

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "check/limits_file.hpp"
#include "core/case.hpp"
#include "tensor/precision_limits.hpp"

namespace robust_kbench {

// The limits of each output, in their order.
using OutputLimits = std::shared_ptr<const std::vector<PrecisionLimits>>;

// The limits for the kernels of one entry on each config and kind of content. They are measured
// once and kept for the next kernel. It is safe to use from any thread. A thread waits for limits
// that another thread is measuring.
class LimitsCache {
 public:
  LimitsCache() = default;
  // Also looks into `shared`, and adds to it what it measures, under keys that begin with `prefix`.
  LimitsCache(std::shared_ptr<LimitsFile> shared, std::string prefix)
      : m_shared(std::move(shared)), m_prefix(std::move(prefix)) {}

  // The limits for `key`, from the cache or from `measure`.
  OutputLimits get(const std::string& key,
                   const std::function<std::vector<PrecisionLimits>()>& measure);

 private:
  struct Kept {
    std::mutex mutex;  // held while it is measured
    OutputLimits limits;
  };

  std::vector<PrecisionLimits> shared_or_measured(
      const std::string& key, const std::function<std::vector<PrecisionLimits>()>& measure);

  std::shared_ptr<LimitsFile> m_shared;  // may be null
  std::string m_prefix;
  std::mutex m_mutex;
  std::map<std::string, Kept> m_kept;  // never erased, so a Kept keeps its address
};

// Names the config of a case and the kind of content that the seed makes. All seeds make one kind,
// except for probes that scale and near_ties. Odd seeds of those that scale make large content,
// even ones small.
std::string content_kind(const Case& of, std::uint64_t seed);

// True for a probe whose odd and even seeds make two kinds of content.
bool has_two_kinds(const Case& of);

}  // namespace robust_kbench

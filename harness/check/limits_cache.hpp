#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "tensor/precision_limits.hpp"

namespace robust_kbench {

// The limits of each output, in their order.
using OutputLimits = std::shared_ptr<const std::vector<PrecisionLimits>>;

// What the kernels of one entry are held to on each config and kind of content. It is measured once
// and kept for the next kernel. Any thread may ask. A thread that asks for what another is
// measuring waits for it.
class LimitsCache {
 public:
  // The limits for `key`, from the cache or from `measure`.
  OutputLimits get(const std::string& key,
                   const std::function<std::vector<PrecisionLimits>()>& measure);

 private:
  struct Kept {
    std::mutex mutex;  // held while it is measured
    OutputLimits limits;
  };

  std::mutex m_mutex;
  std::map<std::string, Kept> m_kept;  // never erased, so a Kept keeps its address
};

// Names the config of a case and the kind of content that the seed makes. All seeds make one kind,
// but for probes that scale: odd seeds make large content of them, even ones small.
std::string content_kind(const Case& of, std::uint64_t seed);

// True for a probe whose content has two scales.
bool has_two_scales(const Case& of);

}  // namespace robust_kbench

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A read of a GPU's clock in PTX.
struct GpuClock {
  std::string reg;   // "%clock64"
  std::string file;  // the source that reads it
  int line = 0;

  friend auto operator<=>(const GpuClock&, const GpuClock&) = default;
};

// The reads of clocks on lines of `is_own` files, or that such a line makes a header of CUDA's do
// by `now()` of a clock. A barrier of CUDA's reads a clock for itself, which is not among them.
// Lines come from nvcc's option -lineinfo. A read without a line is among them.
std::vector<GpuClock> gpu_clocks(std::string_view ptx,
                                 const std::function<bool(const std::string& file)>& is_own);

}  // namespace robust_kbench

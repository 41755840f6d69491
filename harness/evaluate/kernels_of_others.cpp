#include "evaluate/kernels_of_others.hpp"

#include <string>
#include <vector>

#include "broker/worker_enclosure.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"
#include "profile/tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {

void require_sandbox_for_others(const Manifest& manifest, Device device) {
  const Toolchain& toolchain = manifest.toolchain;
  const bool on_gpu = device == Device::cuda;
  std::vector<std::string> missing = worker_means(toolchain, on_gpu).missing();
  // On a GPU, these tools also start workers with candidates.
  for (const char* name : tools_above_workers) {
    const Tool tool = on_gpu ? find_tool(name, toolchain) : Tool();
    if (missing.empty() && !tool.path.empty()) {
      missing = worker_means(toolchain, on_gpu, tool.path).missing();
    }
  }
  if (missing.empty()) return;
  throw UserError(
      fmt::format("nothing on this machine keeps a kernel away from: {} (`{} doctor` "
                  "tells why); give --unsafe to run kernels of others all the same",
                  fmt::join(missing, ", "), own_command()));
}

}  // namespace robust_kbench

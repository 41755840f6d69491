#include "cli/kernels_of_others.hpp"

#include <string>
#include <vector>

#include "broker/worker_enclosure.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {

void require_sandbox_for_others(const Manifest& manifest, Device device) {
  const std::vector<std::string> missing =
      worker_means(manifest.toolchain, device == Device::cuda).missing();
  if (missing.empty()) return;
  throw UserError(
      fmt::format("nothing on this machine keeps a kernel away from: {} (`rkb doctor` "
                  "tells why); give --unsafe to run kernels of others all the same",
                  fmt::join(missing, ", ")));
}

}  // namespace robust_kbench

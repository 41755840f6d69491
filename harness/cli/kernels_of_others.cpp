#include "cli/kernels_of_others.hpp"

#include <string>
#include <vector>

#include "core/error.hpp"
#include "process/sandbox_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {

void require_sandbox_for_others(const Manifest& manifest) {
  const SandboxFacts& facts = sandbox_facts(sandbox_beside(manifest.toolchain.worker));
  const std::vector<std::string> missing =
      sandbox_means(sandbox_policy(Enclosed::worker, false, facts)).missing();
  if (missing.empty()) return;
  throw UserError(
      fmt::format("nothing on this machine keeps a kernel away from: {} (`rkb doctor` "
                  "tells why); give --unsafe to run kernels of others all the same",
                  fmt::join(missing, ", ")));
}

}  // namespace robust_kbench

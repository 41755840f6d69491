#pragma once

#include <filesystem>
#include <stop_token>

namespace robust_kbench {

// Has `agent`, which is the program `rkb_agent`, complete a package (filter/complete_package.hpp).
// `scratch` is a directory for this call alone. Throws UserError where the file is no package, and
// Cancelled if `stop` is requested before the end.
void have_package_completed(const std::filesystem::path& agent,
                            const std::filesystem::path& package,
                            const std::filesystem::path& scratch, const std::stop_token& stop);

}  // namespace robust_kbench

#pragma once

#include <filesystem>
#include <vector>

#include "compile/audit/instructions.hpp"
#include "compile/audit/own_sources.hpp"
#include "core/capability.hpp"

namespace robust_kbench {

// What the code of a kernel's objects asks for, sorted by class. It reads undefined symbols,
// instructions, PTX and texts, and names and texts of the sources. Each use is listed once. Throws
// HarnessError where objdump is needed and missing.
std::vector<CapabilityUse> audited_uses(const std::vector<std::filesystem::path>& objects,
                                        const OwnSources& sources, const EnclosedRun& run);

}  // namespace robust_kbench

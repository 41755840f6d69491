#pragma once

#include <filesystem>
#include <string_view>

#include "archive/archive.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// The directory of the entry's kernels. Where there are none, it is that of the suite's convention.
std::filesystem::path home_of(const Manifest& manifest, const Entry& entry, Device device);

// A further kernel of the entry, which is compiled as the registered ones, with the headers of
// their directory. It has neither name nor source yet, and is called as the direction.
KernelSource further_kernel(const Manifest& manifest, const Entry& entry, Device device);

// A proposal as a kernel to evaluate. It is compiled as the start that it comes from, with the
// start's further sources. Its own source is written into the file, whose name is the kernel's.
// Throws UserError where that cannot be written.
KernelSource archived_kernel(const Manifest& manifest, const Archive& archive, const RunRow& run,
                             const ProposalRow& proposal, const std::filesystem::path& file);

// Removes the entry point of a kernel whose text does not offer it. A proposer may name its
// function after the direction, as it is told, and not as the kernel that it began with.
void forget_missing_entry_point(KernelSource& kernel, std::string_view text);

}  // namespace robust_kbench

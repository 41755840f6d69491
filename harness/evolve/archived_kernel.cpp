#include "evolve/archived_kernel.hpp"

#include "core/output_file.hpp"

namespace robust_kbench {
namespace fs = std::filesystem;

fs::path home_of(const Manifest& manifest, const Entry& entry, Device device) {
  const std::vector<KernelSource> registered = manifest.kernels_of(entry, device);
  if (!registered.empty()) return fs::path(registered.front().sources.front()).parent_path();
  const fs::path task = manifest.task(entry.task).directory;
  return task.parent_path().parent_path() / "kernels" / entry.task / to_string(entry.direction);
}

KernelSource further_kernel(const Manifest& manifest, const Entry& entry, Device device) {
  const TaskDirectory& task = manifest.task(entry.task);
  const std::vector<KernelSource> registered = manifest.kernels_of(entry, device);
  KernelSource kernel;
  kernel.fast_math = task.fast_math;
  kernel.listed_only = task.listed_only;
  if (!registered.empty()) kernel = registered.front();
  kernel.entry = entry;
  kernel.device = device;
  kernel.name.clear();
  kernel.sources.clear();
  kernel.include_directories.push_back(home_of(manifest, entry, device));
  kernel.record.clear();
  kernel.library.clear();
  return kernel;
}

KernelSource archived_kernel(const Manifest& manifest, const Archive& archive, const RunRow& run,
                             const ProposalRow& proposal, const fs::path& file) {
  KernelSource kernel = further_kernel(manifest, run.entry, run.device);
  kernel.name = file.stem().string();
  kernel.sources = {file};
  OutputFile(file).write(archive.content(proposal.source_hash));
  return kernel;
}

}  // namespace robust_kbench

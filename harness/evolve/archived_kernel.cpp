#include "evolve/archived_kernel.hpp"

#include <algorithm>

#include "archive/lineage.hpp"
#include "core/output_file.hpp"
#include "evolve/starts.hpp"
#include "source/kernel_module.hpp"

namespace robust_kbench {
namespace fs = std::filesystem;

namespace {

// A kernel that no build has, which is compiled as its task says.
KernelSource kernel_alone(const Manifest& manifest, const Entry& entry, Device device) {
  KernelSource kernel;
  kernel.entry = entry;
  kernel.device = device;
  if (const TaskDirectory* task = manifest.find_task(entry.task)) {
    kernel.fast_math = task->fast_math;
    kernel.coverage = task->coverage;
  }
  return kernel;
}

// The kernel before it has a name and is built, with the headers of this directory.
KernelSource unbuilt(KernelSource kernel, const fs::path& home) {
  kernel.name.clear();
  kernel.include_directories.push_back(home);
  kernel.record.clear();
  kernel.library.clear();
  return kernel;
}

// The start from which the proposal's run began, by which it is compiled. Its first source will be
// another.
KernelSource start_of(const Manifest& manifest, const Archive& archive, const RunRow& run,
                      const ProposalRow& proposal) {
  const ProposalRow start =
      proposal.parents.empty() ? proposal : lineage(archive.proposals(run.id), proposal.id).back();
  if (start.proposer != "seed" || start.strategy == translated_start) {
    return further_kernel(manifest, run.entry, run.device);
  }
  const std::vector<KernelSource> registered = manifest.kernels_of(run.entry, run.device);
  const auto found = std::ranges::find(registered, start.strategy, &KernelSource::name);
  return unbuilt(found == registered.end() ? kernel_alone(manifest, run.entry, run.device) : *found,
                 home_of(manifest, run.entry, run.device));
}

}  // namespace

void forget_missing_entry_point(KernelSource& kernel, std::string_view text) {
  if (!offers_entry_point(text, kernel.entry_point)) kernel.entry_point.clear();
}

fs::path home_of(const Manifest& manifest, const Entry& entry, Device device) {
  const std::vector<KernelSource> registered = manifest.kernels_of(entry, device);
  if (!registered.empty()) return fs::path(registered.front().sources.front()).parent_path();
  const TaskDirectory* const task = manifest.find_task(entry.task);
  const fs::path project = task != nullptr && task->package.empty()
                               ? fs::path(task->directory).parent_path().parent_path()
                               : fs::current_path();
  return project / "kernels" / entry.task / to_string(entry.direction);
}

KernelSource further_kernel(const Manifest& manifest, const Entry& entry, Device device) {
  const std::vector<KernelSource> registered = manifest.kernels_of(entry, device);
  KernelSource kernel =
      unbuilt(registered.empty() ? kernel_alone(manifest, entry, device) : registered.front(),
              home_of(manifest, entry, device));
  kernel.sources.clear();
  kernel.entry_point.clear();
  return kernel;
}

KernelSource archived_kernel(const Manifest& manifest, const Archive& archive, const RunRow& run,
                             const ProposalRow& proposal, const fs::path& file) {
  KernelSource kernel = start_of(manifest, archive, run, proposal);
  kernel.name = file.stem().string();
  if (kernel.sources.empty()) kernel.sources.emplace_back();
  kernel.sources.front() = file;
  const std::string text = archive.content(proposal.source_hash);
  forget_missing_entry_point(kernel, text);
  OutputFile(file).write(text);
  return kernel;
}

}  // namespace robust_kbench

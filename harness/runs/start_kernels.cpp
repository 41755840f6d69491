#include "runs/start_kernels.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/starting_source.hpp"
#include "evolve/archived_kernel.hpp"
#include "evolve/starts.hpp"
#include "runs/model_use.hpp"
#include <robust_kbench/task.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Returns CUDA where there are a GPU and a CUDA kernel for the entry.
Device usual_device(const Manifest& manifest, const Entry& entry) {
  for (const KernelSource& kernel : manifest.kernels_of(entry, Device::cuda)) {
    if (skip_reason(kernel, manifest.toolchain).empty()) return Device::cuda;
  }
  return Device::cpu;
}

bool is_file(const std::string& seed_kernel) {
  const fs::path extension = fs::path(seed_kernel).extension();
  return extension == ".cpp" || extension == ".cu";
}

}  // namespace

StartKernels::StartKernels(const Suite& suite, const EvolvedEntry& evolved,
                           EvolutionSettings settings)
    : m_suite(suite),
      m_settings(std::move(settings)),
      m_entry{suite.task(evolved.task).name, parse_direction(evolved.direction)},
      m_device(evolved.device.empty() ? usual_device(suite.manifest(), m_entry)
                                      : parse_device(evolved.device)) {
  if (m_device == Device::cpu && !evolved.gpus.empty()) {
    throw UserError("--gpus is for CUDA kernels; give --device cuda");
  }
  if (is_file(m_settings.seed_kernel)) {
    m_further.push_back(suite.loose_kernel(
        evolved.task, evolved.direction, std::string(to_string(m_device)), m_settings.seed_kernel));
  }
  if (suite.manifest().plain_kernel(m_entry, m_device)) m_plain = plain_start;
  const bool has_kernel = !suite.manifest().kernels_of(m_entry, m_device).empty() ||
                          !m_plain.empty() || !m_further.empty();
  if (has_kernel || !translates()) find();
}

bool StartKernels::translates() const {
  return asks_models(m_settings) && (m_settings.translate || m_plain.empty());
}

void StartKernels::find() {
  m_all = starts_of(m_suite.manifest(), m_entry, m_device, m_further);
  if (m_settings.seed_kernel != "best") m_first_parent = named_parent();
}

std::string StartKernels::named_parent() const {
  const std::string& name = m_settings.seed_kernel;
  std::string known;
  for (const Candidate& kernel : m_all) {
    const bool is_named =
        is_file(name) ? kernel.kernel.sources == m_further.front().sources : kernel.name == name;
    if (is_named) return kernel.name;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  if (name == translated_start) return "";  // none yet, or no attempt was right
  throw UserError("the kernel to begin with, '" + name + "', is none of " + known);
}

Candidate StartKernels::first_shown() const {
  if (m_all.empty()) {
    const std::string text =
        starting_source(m_suite.manifest(), m_suite.task(m_entry.task), m_entry.direction, m_device)
            .text;
    return {.id = 1,
            .name = translated_start,
            .text = text,
            .hash = sha256(text),
            .kernel = further_kernel(m_suite.manifest(), m_entry, m_device)};
  }
  const std::string& wanted = m_first_parent.empty() ? m_plain : m_first_parent;
  const auto found = std::ranges::find(m_all, wanted, &Candidate::name);
  return found == m_all.end() ? m_all.front() : *found;
}

void StartKernels::translated(const fs::path& file) {
  if (!file.empty()) {
    KernelSource kernel = further_kernel(m_suite.manifest(), m_entry, m_device);
    kernel.name = translated_start;
    kernel.sources = {file};
    m_further.push_back(std::move(kernel));
  }
  find();
}

void require_same_kernels(Journal& journal, const std::vector<Candidate>& kernels,
                          const std::string& run) {
  if (journal.replays()) return;  // it evaluates nothing
  const nlohmann::json now = identities_of(kernels);
  const nlohmann::json begun =
      journal.once("seeds_identity", [&now] { return nlohmann::json(now); });
  if (begun == now) return;
  for (const Candidate& kernel : kernels) {
    if (!begun.contains(kernel.name)) {
      throw UserError(
          fmt::format("the kernel {} was added after run {} had begun; begin another run, with "
                      "--all by another --set seed=NUMBER",
                      kernel.name, run));
    }
    if (begun[kernel.name] == now[kernel.name]) continue;
    throw UserError(fmt::format(
        "{} is not as it was when run {} began, or a header of it is not; restore it, or begin "
        "another run",
        kernel.kernel.sources.front(), run));
  }
  throw UserError("a kernel that run " + run +
                  " began with is gone; restore it, or begin another run");
}

}  // namespace robust_kbench

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"
#include "prompt/verifier_answer.hpp"
#include "verify/verifier_truth.hpp"

namespace robust_kbench {

// The use of a kernel of a set: to tune a verifier, or to judge the tuned one.
enum class Split { tune, held_out };

std::string_view to_string(Split split);
Split parse_split(std::string_view name);  // throws UserError

// The truth about a kernel in a verifier's class, as compiler, sanitizer and tests found it.
struct Label {
  VerifierTruth truth;
  Split split = Split::tune;
};

struct LabelledKernel {
  std::string name;
  Entry entry;
  std::string source;
  std::map<Verifier, Label> labels;
};

// Kernels whose truth is known (docs/verifiers.md).
struct LabelledSet {
  Device device = Device::cpu;
  std::vector<LabelledKernel> kernels;

  // The kernels with a label for the verifier, in their order; of both splits without `split`.
  [[nodiscard]] std::vector<const LabelledKernel*> of(Verifier verifier,
                                                      std::optional<Split> split = {}) const;
};

// The entries of these kernels, each once.
std::vector<Entry> entries_of(const std::vector<const LabelledKernel*>& kernels);
std::vector<std::string> sources_of(const std::vector<const LabelledKernel*>& kernels);

// Reads a set. Throws UserError for a file that cannot be read or is no such set, and where a task
// is in both splits of a verifier.
LabelledSet load_labelled_set(const std::filesystem::path& file);

}  // namespace robust_kbench

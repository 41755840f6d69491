#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "archive/archive.hpp"
#include "core/manifest.hpp"
#include "evaluate/evaluator.hpp"

namespace robust_kbench {

struct AdoptOptions {
  std::int64_t proposal = 0;  // of the run; 0: its winner
  std::string name;           // of the new kernel; empty: evolved_1 and so on
  bool anyway = false;        // also where it is not faster than the registered kernels
  bool specialised = false;   // also where it is fast on the visible configs alone
  std::function<void(const std::string& text, double share)> on_progress = {};  // share: 0 to 1
};

struct Adopted {
  std::filesystem::path file;
  std::string speedups;  // over the registered kernels, for a person
};

// Evaluates a kernel of the run's entry, as Evaluator::submit() does.
using Evaluates = std::function<KernelRecord(const KernelSource& kernel, const Request& request)>;

// Writes a proposal of a run beside the registered kernels of its entry, as one of them. It is
// evaluated anew first, and no record is believed: all cases, then a race against each registered
// kernel. Throws UserError where it is wrong, not faster, or specialised, and for a name that is
// taken. A folder of kernels holds files alone. So it throws, too, where the run's first kernel is
// registered with more than a file, as with definitions.
Adopted adopt(const Manifest& manifest, const Evaluates& evaluates, const Archive& archive,
              const std::string& run, const AdoptOptions& options);

}  // namespace robust_kbench

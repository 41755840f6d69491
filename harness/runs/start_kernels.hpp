#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/journal.hpp"
#include "core/manifest.hpp"
#include "evaluate/suite.hpp"
#include "evolve/settings.hpp"
#include "prompt/candidate.hpp"

namespace robust_kbench {

// An entry that is evolved, as options name it.
struct EvolvedEntry {
  std::string task;
  std::string direction;
  std::string device;     // empty: a GPU where there is one, and the suite has a CUDA kernel
  std::vector<int> gpus;  // that evaluate; empty: GPU 0
  int pilots = 0;         // on other machines that evaluate; 0: this machine does
};

// The kernels that an evolution begins with. They are the suite's for the entry, the task's plain
// one, the source file that the settings name, and a model's translation of the reference.
class StartKernels {
 public:
  // `suite` outlives this object. Throws UserError where there are none and none is translated, or
  // where the settings name none of them.
  StartKernels(const Suite& suite, const EvolvedEntry& evolved, EvolutionSettings settings);

  [[nodiscard]] const Suite& suite() const { return m_suite; }
  [[nodiscard]] const Entry& entry() const { return m_entry; }
  [[nodiscard]] Device device() const { return m_device; }
  [[nodiscard]] const EvolutionSettings& settings() const { return m_settings; }

  // Returns whether a model translates the reference first. A run that may ask models needs no
  // other kernel.
  [[nodiscard]] bool translates() const;
  // The plain kernel's name among them; empty: the task has none.
  [[nodiscard]] const std::string& plain() const { return m_plain; }
  [[nodiscard]] const std::vector<Candidate>& all() const { return m_all; }
  // The name of the one that the settings begin with; empty: the fastest, or none is known yet.
  [[nodiscard]] const std::string& first_parent() const { return m_first_parent; }
  // Returns the kernel that the first prompt shows. That is the one that the settings name, else
  // the plain one, else the suite's first. A task without a kernel shows what its translation
  // begins with.
  [[nodiscard]] Candidate first_shown() const;

  // Adds the source file of a translation, or none where `file` is empty, and finds all again.
  void translated(const std::filesystem::path& file);

 private:
  void find();
  [[nodiscard]] std::string named_parent() const;

  const Suite& m_suite;
  const EvolutionSettings m_settings;
  const Entry m_entry;
  const Device m_device;
  std::string m_plain;
  std::vector<KernelSource> m_further;  // those that are not the suite's
  std::vector<Candidate> m_all;
  std::string m_first_parent;
};

// Holds a run that goes on to the kernels that it began with, whose hashes the journal keeps.
// Throws UserError that names one that has changed, is new or is gone. A replay needs none.
void require_same_kernels(Journal& journal, const std::vector<Candidate>& kernels,
                          const std::string& run);

}  // namespace robust_kbench

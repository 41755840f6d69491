#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// The module that is made for a kernel whose files have none. It calls a function that one of them
// defines, as torch's load_inline does for functions that it is given.
struct EntryModule {
  std::size_t source = 0;  // the index of the kernel's source that defines the function
  std::string name;        // of the file that stands for that source, without a directory
  std::string text;        // of that file, which includes the source
};

// The name of the file that stands for a kernel's source, by the source's index.
std::string made_file_name(const std::string& source, std::size_t index);

// The module that a kernel's files define or need. They are only scanned.
class KernelModule {
 public:
  explicit KernelModule(const KernelSource& kernel);

  // The reason why no worker could call the kernel even if it compiles: it registers only with
  // torch or Python. Empty otherwise.
  [[nodiscard]] const std::string& refusal() const { return m_refusal; }
  // Options for a kernel without a module. They include the headers that load_inline adds.
  [[nodiscard]] const std::vector<std::string>& options() const { return m_options; }
  // Nullopt if the kernel has a module of its own, or if no file defines the function.
  [[nodiscard]] const std::optional<EntryModule>& made() const { return m_made; }

  // The message for a library without a module, with what to write.
  [[nodiscard]] std::string what_is_missing() const;
  // Whether the compiler says that the made module cannot choose its function.
  [[nodiscard]] bool is_ambiguous(const std::string& reason) const;
  // The compiler's words, after an explanation if they are about the made module or Python.
  [[nodiscard]] std::string explained(const std::string& reason) const;

 private:
  std::string m_entry_point;
  std::string m_refusal;
  std::vector<std::string> m_options;
  std::optional<EntryModule> m_made;
  std::vector<std::string> m_candidates;  // names of functions that return tensors
};

}  // namespace robust_kbench

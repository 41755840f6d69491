#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// The module of a kernel whose files have none. It calls a function that one of them defines, as
// torch's load_inline has it for the functions that it is told.
struct EntryModule {
  std::size_t source = 0;  // the index of the kernel's source that defines the function
  std::string name;        // of the file that stands for that source, without a directory
  std::string text;        // of that file: it includes the source
};

// The name of the file that stands for a kernel's source, by the source's index.
std::string made_file_name(const std::string& source, std::size_t index);

// What a kernel's files say of its module. They are only scanned.
class KernelModule {
 public:
  explicit KernelModule(const KernelSource& kernel);

  // Why no worker could call the kernel, however it compiles: it registers with torch or Python,
  // and nowhere else. Empty where that is not so.
  [[nodiscard]] const std::string& refusal() const { return m_refusal; }
  // Options for a kernel without a module, which get it the headers that load_inline adds.
  [[nodiscard]] const std::vector<std::string>& options() const { return m_options; }
  // None where the kernel has a module of its own, or where no file defines the function.
  [[nodiscard]] const std::optional<EntryModule>& made() const { return m_made; }

  // What a library without a module lacks, and what to write.
  [[nodiscard]] std::string what_is_missing() const;
  // Whether the compiler's words say that the made module cannot choose its function.
  [[nodiscard]] bool is_ambiguous(const std::string& reason) const;
  // The compiler's words, and what they mean where the made module or Python is in them.
  [[nodiscard]] std::string explained(const std::string& reason) const;

 private:
  std::string m_entry_point;
  std::string m_refusal;
  std::vector<std::string> m_options;
  std::optional<EntryModule> m_made;
  std::vector<std::string> m_candidates;  // functions that return tensors
};

}  // namespace robust_kbench

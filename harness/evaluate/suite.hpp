#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

class TaskRegistry;

// The tasks of this program and the manifest that locates their files and kernels.
class Suite {
 public:
  // `manifest_path` empty: default_manifest().
  Suite(TaskRegistry& tasks, const std::string& manifest_path);

  [[nodiscard]] const Manifest& manifest() const { return m_manifest; }
  [[nodiscard]] const TaskRegistry& tasks() const { return m_tasks; }
  // Throws UserError that lists the known tasks.
  [[nodiscard]] const Task& task(const std::string& name) const;
  // Kernels of the manifest that match every filter that is not empty, in the manifest's order. If
  // none matches, throws UserError that lists the kernels.
  [[nodiscard]] std::vector<KernelSource> kernels(const std::string& task,
                                                  const std::string& direction,
                                                  const std::string& name) const;
  // A kernel of any source file, without an entry. `device` empty: by extension. Throws UserError.
  [[nodiscard]] static KernelSource source_file(const std::string& device,
                                                const std::string& source);
  // A kernel outside the manifest: any source file of an entry.
  [[nodiscard]] KernelSource loose_kernel(const std::string& task, const std::string& direction,
                                          const std::string& device,
                                          const std::string& source) const;

 private:
  TaskRegistry& m_tasks;
  Manifest m_manifest;
};

}  // namespace robust_kbench

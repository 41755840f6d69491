#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/descriptor.hpp"
#include "tensor/precision_limits.hpp"

namespace robust_kbench {

// Limits that one process has measured, for processes that fork from the same one. They depend on
// the config and the kind of content alone, and measuring them takes longer than a case. It is a
// file in memory, to which each process appends lines. Any thread may use it.
class LimitsFile {
 public:
  // Throws HarnessError where the system gives no memory.
  LimitsFile();

  // Returns the limits that some process has added for `key`. Empty if none has.
  std::optional<std::vector<PrecisionLimits>> find(const std::string& key);
  // Adds limits for all processes. Another one may have added the same.
  void add(const std::string& key, const std::vector<PrecisionLimits>& limits);

 private:
  void read_further();

  Descriptor m_file;
  std::mutex m_mutex;
  std::size_t m_read = 0;  // bytes of the file that m_found holds
  std::map<std::string, std::vector<PrecisionLimits>> m_found;
};

}  // namespace robust_kbench

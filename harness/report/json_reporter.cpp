#include "report/json_reporter.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void JsonReporter::end(const std::vector<KernelRecord>& records) {
  m_file.write(record_file(records));
}

}  // namespace robust_kbench

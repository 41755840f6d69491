#include "report/html_reporter.hpp"

#include "report/record_page.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

void HtmlReporter::end(const std::vector<KernelRecord>& records) {
  m_file.write(record_page(records));
}

}  // namespace robust_kbench

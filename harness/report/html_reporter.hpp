#pragma once

#include <string>
#include <utility>

#include "report/page_file.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Writes the records as a page that a browser shows.
class HtmlReporter : public Reporter {
 public:
  // Throws UserError where the file cannot be written.
  HtmlReporter(const std::string& path, const PagePaths& paths, Scrubber scrubber)
      : m_file(path, paths, std::move(scrubber)) {}

  void end(const std::vector<KernelRecord>& records) override;

 private:
  PageFile m_file;
};

}  // namespace robust_kbench

#include "report/page_file.hpp"

#include <cstdio>
#include <utility>

#include "report/html_page.hpp"
#include "report/page_blocks.hpp"

namespace robust_kbench {

PageFile::PageFile(const std::string& path, const PagePaths& paths, Scrubber scrubber)
    : m_file(path),
      m_paths(paths),
      m_scrubber(std::move(scrubber)),
      m_library(chart_library(paths)) {
  if (!m_library.missing.empty()) std::fprintf(stderr, "%s\n", m_library.missing.c_str());
}

void PageFile::write(nlohmann::json page) const {
  if (!m_library.missing.empty()) {
    page["summary"].push_back(text_block(m_library.missing, "warning"));
  }
  m_file.write(html_page(m_scrubber.scrubbed(page), m_paths, m_library));
}

}  // namespace robust_kbench

#pragma once

#include <string>

#include "core/output_file.hpp"
#include "core/scrub.hpp"
#include "report/chart_library.hpp"
#include "report/page_paths.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The file of a page that may be shown to anybody, so keys and personal paths are scrubbed from it.
class PageFile {
 public:
  // Throws UserError where the file cannot be written. A missing chart library is fetched, or said
  // to be missing on stderr and on each page.
  PageFile(const std::string& path, const PagePaths& paths, Scrubber scrubber);

  // Replaces the file by one that shows this page (report/page_blocks.hpp).
  void write(nlohmann::json page) const;

 private:
  OutputFile m_file;
  PagePaths m_paths;
  Scrubber m_scrubber;
  ChartLibrary m_library;
};

}  // namespace robust_kbench

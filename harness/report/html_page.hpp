#pragma once

#include <string>

#include "report/chart_library.hpp"
#include "report/page_paths.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// One HTML file that shows `page` (report/page_blocks.hpp) and loads nothing. The page is data, of
// which a script in page/ makes text. The file allows no other script than its own two, so text
// that became markup could still not run. Throws HarnessError where a file of page/ is missing.
std::string html_page(const nlohmann::json& page, const PagePaths& paths,
                      const ChartLibrary& library);

}  // namespace robust_kbench

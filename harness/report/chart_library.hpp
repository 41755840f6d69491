#pragma once

#include <string>

#include "report/page_paths.hpp"

namespace robust_kbench {

// The library that draws a page's charts, Apache ECharts.
struct ChartLibrary {
  std::string script;   // its text; empty: it is missing
  std::string missing;  // why, with the remedy
};

// Reads the library, which page/install.py fetches first where it is missing. Says on stderr that
// it does so. Without it pages have tables alone, so a failure is no error.
ChartLibrary chart_library(const PagePaths& paths);

}  // namespace robust_kbench

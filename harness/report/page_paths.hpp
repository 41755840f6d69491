#pragma once

#include <filesystem>

namespace robust_kbench {

// The places of what pages are made of.
struct PagePaths {
  std::filesystem::path sources;  // the directory page/: its style, its scripts and install.py
  std::filesystem::path library;  // a directory for the chart library; made when missing
};

// The places that this program uses: those of its build, or of the installation that it is in. An
// installation's library is in the person's cache.
PagePaths places_of_page(const PagePaths& of_build);

}  // namespace robust_kbench

#include "report/page_paths.hpp"

#include "core/cache_directory.hpp"
#include "core/installation.hpp"

namespace robust_kbench {

PagePaths places_of_page(const PagePaths& of_build) {
  const std::filesystem::path files = installed_files();
  if (files.empty()) return of_build;
  return {.sources = files / "page", .library = cache_directory() / "page"};
}

}  // namespace robust_kbench

#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/import/import_request.hpp"
#include "cli/import/importer_program.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

struct ImportPlace {
  const ImporterProgram& program;
  const Toolchain& toolchain;
  std::filesystem::path out;        // where packages go
  std::vector<std::string> linked;  // names that are taken, since the program links these tasks
  std::function<void(std::size_t sources)> on_listed = {};  // how many there are
};

// Imports each source that the request names or that lies below one, and tells of each as it ends.
// One process imports them one after another. Another process goes on after a source that ends it
// or takes too long. A package that the same torch and importer made of the same content is kept.
// Throws UserError where nothing can be imported at all, and Cancelled where `stop` is requested.
std::vector<ImportedSource> import_sources(const ImportPlace& place, const ImportRequest& request,
                                           const std::function<void(const ImportedSource&)>& told,
                                           const std::stop_token& stop);

}  // namespace robust_kbench

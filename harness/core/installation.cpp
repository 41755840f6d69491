#include "core/installation.hpp"

#include "core/cache_directory.hpp"

namespace robust_kbench {

namespace fs = std::filesystem;

namespace {

// A build has no copy of the helper for language models, whose sources are in place.
bool is_installed(const fs::path& files) {
  return fs::is_directory(files / "llm");
}

}  // namespace

fs::path installed_files() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path files = prefix / "share" / "robust_kbench";
  return is_installed(files) ? files : fs::path();
}

fs::path results_directory(const fs::path& manifest) {
  const fs::path files = fs::absolute(manifest).parent_path();
  if (is_installed(files)) return data_directory();
  // A build keeps its manifest in share/robust_kbench/manifest.json.
  return files.parent_path().parent_path();
}

}  // namespace robust_kbench

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

bool is_of_installation(const fs::path& manifest) {
  return is_installed(fs::absolute(manifest).parent_path());
}

fs::path results_directory(const fs::path& manifest) {
  if (is_of_installation(manifest)) return data_directory();
  const fs::path files = fs::absolute(manifest).parent_path();
  // A build keeps its manifest in share/robust_kbench/manifest.json.
  return files.parent_path().parent_path();
}

}  // namespace robust_kbench

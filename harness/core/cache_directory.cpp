#include "core/cache_directory.hpp"

#include <cstdlib>
#include <string>

namespace robust_kbench {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

fs::path below_home(const char* variable, const char* usual) {
  if (const std::string all = environment(variable); !all.empty()) {
    return fs::path(all) / "robust_kbench";
  }
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / usual / "robust_kbench";
}

}  // namespace

fs::path cache_directory() {
  if (const std::string own = environment("RKB_CACHE"); !own.empty()) return own;
  return below_home("XDG_CACHE_HOME", ".cache");
}

fs::path data_directory() {
  return below_home("XDG_DATA_HOME", ".local/share");
}

}  // namespace robust_kbench

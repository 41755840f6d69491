#include "agent/archive/archive_option.hpp"

#include <cstdlib>

#include "core/installation.hpp"
#include "core/manifest.hpp"
#include "core/own_command.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

}  // namespace

fs::path archive_directory(const Program& program, const std::string& given) {
  if (!given.empty()) return given;
  if (const char* set = std::getenv("ROBUST_KBENCH_ARCHIVE")) return set;
  return results_directory(manifest_file(program.manifest_path)) / "evolution";
}

std::string archive_words(const std::string& given) {
  const char* set = std::getenv("ROBUST_KBENCH_ARCHIVE");
  const std::string place = given.empty() && set != nullptr ? set : given;
  return place.empty() ? "" : " --archive " + path_word(place);
}

}  // namespace robust_kbench

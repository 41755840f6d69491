#include "agent/archive/archive_option.hpp"

#include <cstdlib>

#include "core/manifest.hpp"
#include "core/own_command.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A build keeps its manifest in share/robust_kbench/manifest.json.
fs::path build_directory(const Program& program) {
  return manifest_file(program.manifest_path).parent_path().parent_path().parent_path();
}

}  // namespace

fs::path archive_directory(const Program& program, const std::string& given) {
  if (!given.empty()) return given;
  if (const char* set = std::getenv("ROBUST_KBENCH_ARCHIVE")) return set;
  return build_directory(program) / "evolution";
}

std::string archive_words(const std::string& given) {
  const char* set = std::getenv("ROBUST_KBENCH_ARCHIVE");
  const std::string place = given.empty() && set != nullptr ? set : given;
  return place.empty() ? "" : " --archive " + path_word(place);
}

}  // namespace robust_kbench

#include "cli/archive/archive_option.hpp"

#include <cstdlib>

#include "core/manifest.hpp"

namespace robust_kbench {

namespace fs = std::filesystem;

void add_archive_option(CommandLine& command, std::string& directory) {
  command.add_option("--archive", directory,
                     "Directory of the archive; default: $ROBUST_KBENCH_ARCHIVE, else evolution/ "
                     "in the build that the manifest is of");
}

fs::path archive_directory(const Program& program, const std::string& given) {
  if (!given.empty()) return given;
  if (const char* set = std::getenv("ROBUST_KBENCH_ARCHIVE")) return set;
  const fs::path manifest =
      program.manifest_path.empty() ? default_manifest() : fs::path(program.manifest_path);
  // It lies at share/robust_kbench/manifest.json of the build.
  return fs::absolute(manifest).parent_path().parent_path().parent_path() / "evolution";
}

}  // namespace robust_kbench

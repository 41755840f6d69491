#include "compile/quoted_headers.hpp"

#include <regex>
#include <string>
#include <system_error>
#include <vector>

#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

void gather(const fs::path& file, const std::vector<std::string>& directories,
            std::set<fs::path>& seen) {
  std::error_code ignored;
  if (!seen.insert(fs::weakly_canonical(file, ignored)).second) return;
  const std::string text = read_text(file).value_or("");
  static const std::regex include(R"(#[ \t]*include[ \t]*"([^"\n/][^"\n]*)\")");
  for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
    std::vector<fs::path> places{file.parent_path()};
    places.insert(places.end(), directories.begin(), directories.end());
    for (const fs::path& place : places) {
      const fs::path header = place / (*at)[1].str();
      if (!fs::is_regular_file(header, ignored)) continue;
      gather(header, directories, seen);
      break;
    }
  }
}

}  // namespace

std::set<fs::path> quoted_files(const KernelSource& kernel) {
  std::set<fs::path> files;
  for (const std::string& source : kernel.sources) {
    gather(source, kernel.include_directories, files);
  }
  return files;
}

std::string quoted_text(const KernelSource& kernel) {
  std::string text;
  for (const fs::path& file : quoted_files(kernel)) text += read_text(file).value_or("");
  return text;
}

}  // namespace robust_kbench

#include "prompt/local_headers.hpp"

#include <cstddef>
#include <filesystem>
#include <set>

#include "compile/quoted_headers.hpp"
#include "core/kernel_places.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

// Whether a line of the text includes the file between quotes, with or without a directory.
bool includes(const std::string& text, const std::string& name) {
  for (const char before : {'"', '/'}) {
    const std::string end = before + name + '"';
    for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;  // 0 where there is none before
      const std::size_t first = text.find_first_not_of(" \t", line);
      if (text[first] == '#') return true;
    }
  }
  return false;
}

}  // namespace

std::vector<LocalHeader> local_headers(const std::vector<KernelSource>& kernels) {
  std::set<std::filesystem::path> files;
  for (const KernelSource& kernel : kernels) files.merge(quoted_files(kernel));
  std::vector<LocalHeader> headers;
  for (const std::filesystem::path& file : files) {
    if (is_header(file)) headers.push_back({file.filename(), read_text(file).value_or("")});
  }
  return headers;
}

std::vector<LocalHeader> included_headers(const std::vector<LocalHeader>& headers,
                                          std::vector<std::string> texts) {
  std::vector<bool> included(headers.size(), false);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    for (std::size_t h = 0; h < headers.size(); ++h) {
      if (included[h] || !includes(texts[t], headers[h].name)) continue;
      included[h] = true;
      texts.push_back(headers[h].text);
    }
  }
  std::vector<LocalHeader> found;
  for (std::size_t h = 0; h < headers.size(); ++h) {
    if (included[h]) found.push_back(headers[h]);
  }
  return found;
}

}  // namespace robust_kbench

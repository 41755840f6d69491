#include "cli/kernel_names.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words words_of(const KernelSource& kernel, bool with_ending) {
  fs::path path = fs::path(kernel.sources.front()).lexically_normal();
  if (!kernel.named_in.empty()) path = path.lexically_relative(kernel.named_in);
  if (!with_ending) path.replace_extension();
  Words words;
  for (const fs::path& part : path) words.push_back(part.string());
  return words;
}

// Returns the last words, at most `count`, as a path.
std::string end_of(const Words& words, std::size_t count) {
  fs::path end;
  for (std::size_t i = words.size() - std::min(count, words.size()); i < words.size(); ++i) {
    end /= words[i];
  }
  return end.string();
}

}  // namespace

void tell_apart(std::vector<KernelSource>& kernels) {
  std::size_t longest = 0;
  for (const KernelSource& kernel : kernels) {
    longest = std::max(longest, words_of(kernel, false).size());
  }
  const auto name_of = [&](const KernelSource& kernel) {
    for (const bool with_ending : {false, true}) {
      const Words own = words_of(kernel, with_ending);
      for (std::size_t count = 1; count <= longest; ++count) {
        const bool taken = std::ranges::any_of(kernels, [&](const KernelSource& other) {
          return other.sources.front() != kernel.sources.front() &&
                 end_of(words_of(other, with_ending), count) == end_of(own, count);
        });
        if (!taken) return end_of(own, count);
      }
    }
    return kernel.sources.front();
  };
  Words names;
  std::ranges::transform(kernels, std::back_inserter(names), name_of);
  for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].name = std::move(names[i]);
}

}  // namespace robust_kbench

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace robust_kbench {

// A path among the arguments of a compiler or a linker.
struct PathWord {
  enum class Kind {
    file,               // without an option: an object or a library
    include,            // a directory of headers, or a header
    library_directory,  // searched for libraries
  };
  std::size_t word;    // index of the argument
  std::size_t offset;  // where the path begins in the argument
  Kind kind;
};

// The arguments of `-I`, `-isystem` and similar options, and all words that are not options. An
// option and its path may be one word or two.
std::vector<PathWord> path_words(const std::vector<std::string>& words);

// The words with relative paths made absolute, where the files exist in the working directory.
std::vector<std::string> with_absolute_paths(std::vector<std::string> words);

}  // namespace robust_kbench

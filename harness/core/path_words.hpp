#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace robust_kbench {

// A path in what a compiler or a linker is told.
struct PathWord {
  enum class Kind {
    file,               // without an option: an object or a library
    include,            // a directory of headers, or a header
    library_directory,  // in which libraries are looked for
  };
  std::size_t word;    // its index
  std::size_t offset;  // of the path in the word
  Kind kind;
};

// Those of `-Idir`, `-isystem dir` and their like, and words that are no options. An option may be
// apart from its path.
std::vector<PathWord> path_words(const std::vector<std::string>& words);

// The same words with the relative paths that are there made absolute, as seen from the working
// directory.
std::vector<std::string> with_absolute_paths(std::vector<std::string> words);

}  // namespace robust_kbench

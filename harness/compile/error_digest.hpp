#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// One error of a compiler.
struct CompilerError {
  std::string file;                     // without its directories; empty: none is named
  std::vector<int> lines;               // all with this message; empty: none is named
  std::string message;                  // one line
  std::string quote = {};               // the first of these lines, as printed
  std::string origin = {};              // "kernel.cpp:20", the line of a source that led there
  std::vector<std::string> notes = {};  // about lines of a source
};

// The errors in what gcc, clang, nvcc, ptxas or a linker printed, each once. Those in sources come
// first, then those in headers, then those that name no line. Warnings are left out, as are notes
// about headers.
std::vector<CompilerError> compiler_errors(std::string_view output);

// Describes the first errors, at most so many. Without an error it is the beginning of the output.
std::string compiler_errors_text(std::string_view output, std::size_t most = 8);

}  // namespace robust_kbench

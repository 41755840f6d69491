#pragma once

#include <optional>
#include <string>
#include <vector>

// Reads what gcc, clang, nvcc and what it calls, and linkers say of a source that they refuse.
namespace robust_kbench {

std::vector<std::string> lines_of(const std::string& text);

// What a compiler says of a line of a file.
struct PlacedLine {
  std::string path;
  int line = 0;
  std::string text;  // behind the place: "error: ...", "warning: ...", "note: ..."
};

// "a/kernel.cpp:12:5: error: ..." of gcc and clang, "a/kernel.cu(12): error ..." of nvcc.
std::optional<PlacedLine> placed_line(const std::string& line);

// The text after "error: ", or what a linker, ptxas or nvcc itself complains of. Empty in a line
// that is no error. What comes before is a place, which differs between two attempts.
std::string error_in(const std::string& line);

// True if the error is about a name that nothing declares, or a type that nothing defines.
bool misses_a_name(const std::string& error);

// The identifiers that the error quotes, without those that the compiler proposes instead.
std::vector<std::string> quoted_identifiers(const std::string& error);

// All names that errors miss. Nvcc does not name a namespace that it does not know, but shows the
// line, of which these are then the words.
std::vector<std::string> missed_names(const std::string& compiler_output);

}  // namespace robust_kbench

#pragma once

#include <optional>
#include <string>
#include <vector>

// Reads the messages of gcc, clang, nvcc with its tools, and linkers about a source that they
// refuse.
namespace robust_kbench {

std::vector<std::string> lines_of(const std::string& text);

// A compiler's message about a line of a file.
struct PlacedLine {
  std::string path;
  int line = 0;
  std::string text;  // behind the place: "error: ...", "warning: ...", "note: ..."
};

// Parses "a/kernel.cpp:12:5: error: ..." of gcc and clang, and "a/kernel.cu(12): error ..." of
// nvcc.
std::optional<PlacedLine> placed_line(const std::string& line);

// The text after "error: ", or the complaint of a linker, ptxas or nvcc itself. Empty in a line
// that is no error. The place before the text is left out, since it differs between two attempts.
std::string error_in(const std::string& line);

// True if the error is about a name that nothing declares, or a type that nothing defines.
bool misses_a_name(const std::string& error);

// The identifiers that the error quotes, without the compiler's proposals.
std::vector<std::string> quoted_identifiers(const std::string& error);

// All names that errors miss. Nvcc does not name an unknown namespace, but shows its line, so then
// they are the words of that line.
std::vector<std::string> missed_names(const std::string& compiler_output);

}  // namespace robust_kbench

#pragma once

#include <string>
#include <vector>

// Reads what g++ and nvcc's front end say of a source that they refuse.
namespace robust_kbench {

std::vector<std::string> lines_of(const std::string& text);

// The text after "error: ", or empty in a line that is no error. What comes before is a place,
// which differs between two attempts.
std::string error_in(const std::string& line);

// True if the error is about a name that nothing declares, or a type that nothing defines.
bool misses_a_name(const std::string& error);

// The identifiers that the error quotes, without those that the compiler proposes instead.
std::vector<std::string> quoted_identifiers(const std::string& error);

// All names that errors miss. Nvcc does not name a namespace that it does not know, but shows the
// line, of which these are then the words.
std::vector<std::string> missed_names(const std::string& compiler_output);

}  // namespace robust_kbench

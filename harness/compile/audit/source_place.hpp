#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/audit/own_sources.hpp"

namespace robust_kbench {

// A line of one of a kernel's files.
struct SourcePlace {
  std::string file;  // without its directory; empty if no line is known
  int line = 0;      // from 1; 0 if no line is known
};

// The first line with one of these words as a name, or within a directive or a text such as that of
// inline assembly. Earlier words come first.
SourcePlace place_of(const std::vector<std::string>& words, const OwnSources& sources);

// The words by which a source may refer to a symbol: open, basic_ofstream and ofstream for
// std::basic_ofstream::open.
std::vector<std::string> words_of_symbol(std::string_view plain_name);
// The words by which a source may name an instruction of the host: rdtsc, __rdtsc and the like.
std::vector<std::string> words_of_instruction(std::string_view mnemonic);

}  // namespace robust_kbench

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A constant of a source that may take other values. It is declared by a comment on its line,
//   constexpr int threads = 256;  // tune: 64, 128, 256, 512
// after `constexpr`, `const`, `#define` or `using`. `tune: auto` offers twice and half an integer.
struct Tunable {
  std::string name;
  std::vector<std::string> values;  // as they are written into the source; `current` among them
  std::string current;
  int line = 0;          // from 1
  bool declared = true;  // by a comment or a file; else offered because of where the constant goes
  std::size_t offset = 0;  // of the current value in the source, in bytes
};

using TunableValues = std::map<std::string, std::vector<std::string>>;  // a tunable -> its values

// The tunables of a source in its order. `further` holds values of constants that come from
// elsewhere, as from a file of tuning parameters; they stand for those of a comment. Integer
// constants without a comment are offered as with `auto` where they size the work (size_uses.hpp).
// Compile options with alternatives are the tunable `options` (compile_options.hpp). Throws
// SourceError.
std::vector<Tunable> tunables_of(std::string_view source, const TunableValues& further = {});

}  // namespace robust_kbench

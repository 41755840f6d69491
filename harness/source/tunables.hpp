#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/restriction.hpp"

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
};

using Setting = std::map<std::string, std::string>;  // the name of a tunable -> its value

// What is declared elsewhere than in the source, as in a file of tuning parameters beside it.
struct TunableDeclarations {
  std::map<std::string, std::vector<std::string>> values;  // of constants that the source defines
  std::vector<std::string> restrictions;
};

// All settings of a source's tunables, less those that its restrictions rule out:
//   // restriction: threads * packs <= 2048 && threads % 32 == 0
class TunableSpace {
 public:
  // `device_facts` are what restrictions may name beside tunables (restriction.hpp). Integer
  // constants without a comment are offered, too, where they reach a launch `<<<...>>>`,
  // `__launch_bounds__`, an array's extent, an unroll pragma or the stride of a loop. Compile
  // options with alternatives are the tunable `options` (compile_options.hpp). Throws SourceError.
  static TunableSpace of(std::string_view source,
                         const std::map<std::string, long long>& device_facts = {},
                         const TunableDeclarations& further = {});

  const std::vector<Tunable>& tunables() const { return m_tunables; }
  const std::vector<Restriction>& restrictions() const { return m_restrictions; }

  // The number of settings before restrictions; the largest number where it is larger still.
  std::uint64_t size() const;

  // Whether each tunable has one of its values and each restriction holds. A restriction whose
  // arithmetic overflows or divides by zero does not hold.
  bool allows(const Setting& setting) const;

  Setting current() const;

  // The whole source with the values of the setting. A tunable that the setting does not name keeps
  // its value. Throws SourceError for an unknown tunable or value.
  std::string apply(const Setting& setting) const;

 private:
  struct Place {
    std::size_t offset;  // in bytes, where the value stands in the source
    std::size_t length;
  };

  std::string m_source;
  std::vector<Tunable> m_tunables;
  std::vector<Place> m_places;  // one for each tunable
  std::vector<Restriction> m_restrictions;
};

}  // namespace robust_kbench

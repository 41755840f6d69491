#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tune/restriction.hpp"
#include "tune/tunable.hpp"

namespace robust_kbench {

using Setting = std::map<std::string, std::string>;  // the name of a tunable -> its value

// Tunables and restrictions that are declared outside of the source, as in a file of tuning
// parameters beside it.
struct TunableDeclarations {
  TunableValues values;
  std::vector<std::string> restrictions;
};

// All settings of a source's tunables, less those that its restrictions rule out:
//   // restriction: threads * packs <= 2048 && threads % 32 == 0
class TunableSpace {
 public:
  // Restrictions name tunables whose values are all integers, and facts of the device. A GPU has
  // shared_memory_per_block, shared_memory_per_block_optin, registers_per_block, threads_per_block,
  // multiprocessors and l2_bytes, a CPU cpu_cores, l1_bytes, l2_bytes and l3_bytes. One that names
  // a fact which `device_facts` lacks is left out. Throws SourceError.
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
  void add_restriction(std::string_view text, int line);

  std::string m_source;
  std::map<std::string, long long> m_device_facts;
  std::vector<Tunable> m_tunables;
  std::vector<Restriction> m_restrictions;
};

}  // namespace robust_kbench

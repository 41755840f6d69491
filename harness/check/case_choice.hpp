#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/cipher.hpp"
#include "core/record.hpp"

// Chooses the cases of a slow kernel if there is no time for all of them.
namespace robust_kbench {

// The time that a kernel's slow calls may take in its tests. A case's calls are slow if they take
// `slow_call` seconds on average, and `times_the_reference` times as long as the reference. So
// neither large tensors nor a busy machine make the tests leave a case out.
struct SlowCallLimit {
  double seconds = 30;
  double slow_call = 0.2;
  double times_the_reference = 10;

  // The seconds that count against the limit: those of a slow kernel's calls, and 0 for others.
  [[nodiscard]] double cost(const CaseRecord& record) const;
};

// Gives the cases in a fixed order until half of the time for slow calls is used up. Then it gives
// each kind of case at least one, at any cost. The kinds are each set of listed configs, drawn
// configs, and probes. Then configs follow that have had no case. Once the next case would exceed
// the time, the others are left out. Cases are drawn at random here, so that no kernel knows which
// are left out.
class CaseChoice {
 public:
  // `order` holds the indices of all cases. Without a limit they come in that order.
  CaseChoice(const std::vector<Case>& cases, const std::vector<std::size_t>& order,
             const std::optional<SlowCallLimit>& limit, std::uint64_t key);

  // The index of the next case, or nullopt if there is none, or no time for one.
  std::optional<std::size_t> next();
  // Reports the result of the last case that next() gave.
  void called(const CaseRecord& record);

 private:
  std::size_t take(std::size_t place);
  // Draws one of the places in m_left whose case satisfies `wanted`.
  template <typename Wanted>
  std::optional<std::size_t> drawn(const Wanted& wanted);

  const std::vector<Case>& m_cases;
  std::vector<std::size_t> m_left;
  const std::optional<SlowCallLimit> m_limit;
  CipherStream m_random;
  std::size_t m_current = 0;
  double m_spent = 0;
  double m_dearest = 0;
  std::set<std::string> m_kinds;    // kinds with a case that the kernel did not refuse
  std::set<std::string> m_configs;  // names of configs, with the probe if there is one
};

}  // namespace robust_kbench

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"

// Chooses the cases of a slow kernel, where there is no time for all of them.
namespace robust_kbench {

// How long a kernel's tests may call it where its calls are slow. Those of a case are slow where
// they take so many seconds on average, and so many times as long as the reference. Neither large
// tensors nor a busy machine then leave a case out.
struct SlowCallLimit {
  double seconds = 30;
  double slow_call = 0.2;
  double times_the_reference = 10;

  // Seconds that count against the limit: those of a slow kernel's calls, 0 for any other.
  [[nodiscard]] double cost(const CaseRecord& record) const;
};

// Gives the cases in a fixed order until half of the time for slow calls is used up. From then on
// it goes through the kinds of cases: each set of listed configs, drawn configs, and probes. Each
// has one case at least, whatever it costs. Then come configs that have had none. When the next
// case would exceed the time, the others are left out. Which ones is drawn, so that no kernel knows
// them.
class CaseChoice {
 public:
  // `order` are the indices of all cases. Without a limit they come in that order.
  CaseChoice(const std::vector<Case>& cases, const std::vector<std::size_t>& order,
             const std::optional<SlowCallLimit>& limit, std::uint64_t key);

  // The index of the next case; none: there is none, or no time for one.
  std::optional<std::size_t> next();
  // Tells what became of the case that came last.
  void called(const CaseRecord& record);

 private:
  std::size_t take(std::size_t place);
  // One of those places in m_left whose case satisfies `wanted`.
  template <typename Wanted>
  std::optional<std::size_t> drawn(const Wanted& wanted);

  const std::vector<Case>& m_cases;
  std::vector<std::size_t> m_left;
  const std::optional<SlowCallLimit> m_limit;
  std::mt19937_64 m_random;
  std::size_t m_current = 0;
  double m_spent = 0;
  double m_dearest = 0;
  std::set<std::string> m_kinds;    // that have had a case that the kernel did not refuse
  std::set<std::string> m_configs;  // by name, and of a probe with its probe
};

}  // namespace robust_kbench

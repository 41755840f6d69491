#pragma once

#include <atomic>
#include <optional>

#include <ATen/core/ivalue.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace robust_kbench {

// The part of a float32 factor that a tensor core keeps: 8 or 11 significant bits, and the
// exponent.
enum class Rounding { bfloat16, tf32 };

// Rounds float32 factors of matrix products, convolutions and attention to the nearest, until the
// end of the scope. Sums stay in float32. This holds for all that the thread calls of torch, and
// for autograd's work on it. One scope may exist at a time in a process.
class RoundedFactors {
 public:
  explicit RoundedFactors(Rounding rounding);
  ~RoundedFactors();
  RoundedFactors(const RoundedFactors&) = delete;
  RoundedFactors& operator=(const RoundedFactors&) = delete;

  // Whether a factor has been rounded so far.
  [[nodiscard]] bool any() const { return m_any; }

 private:
  struct Calls;  // the fallback that torch calls
  void round(c10::IValue& argument);

  const Rounding m_rounding;
  std::atomic<bool> m_any = false;
  std::optional<c10::impl::IncludeDispatchKeyGuard> m_guard;
};

}  // namespace robust_kbench

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"
#include "core/judgement.hpp"

// A kernel may refuse a config outside of its usual set by an error, before it has launched
// anything. This does not change its verdict, but every record and table shows it.
namespace robust_kbench {

// True for a drawn config, for a probe and, on CUDA, for a small config.
bool may_refuse(const Case& c, Device device);

// The judgement of a refused case. `thrown` is that of the refused call.
Judgement refused(const Judgement& thrown);

// Refusals and computed calls of one kernel. It may refuse a shape, but not data on a shape that it
// computes. Shapes are told apart by their parameters, whatever their configs are called.
class Refusals {
 public:
  // Takes note of a call that was refused, and may be. Returns a finding if the kernel has computed
  // the shape: an exception.
  std::optional<Judgement> refused(const Params& params, const Judgement& thrown);
  [[nodiscard]] bool has_computed(const Params& params) const;
  // Takes note of a right call. Returns a finding if the kernel has refused the shape.
  std::optional<Judgement> computed(const Params& params);

  // The judgement of the last call that was refused, as that of a refused case.
  [[nodiscard]] const std::optional<Judgement>& latest() const { return m_latest; }

 private:
  std::vector<Params> m_computed;
  std::vector<std::pair<Params, Judgement>> m_refused;
  std::optional<Judgement> m_latest;
};

}  // namespace robust_kbench

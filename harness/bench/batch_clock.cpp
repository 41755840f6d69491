#include "bench/batch_clock.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/statistics.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double headroom = 1.3;
constexpr double min_sample_us = 1e-3;

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

double microseconds(std::uint64_t ns) {
  return static_cast<double>(ns) / 1e3;
}

}  // namespace

double BatchClock::sample_us() const {
  const auto calls = static_cast<double>(claimed_ns.size());
  const double sample_us = on_gpu ? interquartile_mean({claimed_ns.begin(), claimed_ns.end()}) / 1e3
                                  : static_cast<double>(net_ns()) / 1e3 / calls;
  return std::max(min_sample_us, sample_us);
}

double BatchClock::mean_us() const {
  return microseconds(sum(claimed_ns)) / static_cast<double>(claimed_ns.size());
}

double BatchClock::discrepancy_us() const {
  const double net = static_cast<double>(taken_ns()) - static_cast<double>(noop_ns);
  return net / 1e3 / static_cast<double>(claimed_ns.size()) - mean_us();
}

std::optional<std::string> contradiction(const BatchClock& clock, double agreement,
                                         std::chrono::nanoseconds least) {
  const auto longest = std::max_element(clock.claimed_ns.begin(), clock.claimed_ns.end());
  if (longest == clock.claimed_ns.end()) return std::nullopt;
  if (*longest > clock.wall_ns) {
    return fmt::format("call {} of {} claims {:.1f} us, but the whole batch took {:.1f} us",
                       longest - clock.claimed_ns.begin(), clock.claimed_ns.size(),
                       microseconds(*longest), microseconds(clock.wall_ns));
  }
  if (clock.on_gpu) return std::nullopt;
  const std::uint64_t claimed = sum(clock.claimed_ns);
  const auto net = static_cast<double>(clock.net_ns());
  const double allowed = agreement * std::max(net, static_cast<double>(least.count()));
  // Each span includes a part of the loop's time, which `net` does not.
  const double most = static_cast<double>(clock.wall_ns) + allowed;
  const double min_claim = net - static_cast<double>(clock.delayed_ns) - allowed;
  if (min_claim <= static_cast<double>(claimed) && static_cast<double>(claimed) <= most) {
    return std::nullopt;
  }
  return fmt::format(
      "{} calls claim {:.1f} us together, but took {:.1f} us by the harness's clock; {:.1f} us of "
      "difference are allowed",
      clock.claimed_ns.size(), microseconds(claimed), net / 1e3, allowed / 1e3);
}

std::size_t calls_for(std::chrono::nanoseconds span, std::size_t calls, std::uint64_t net_ns,
                      std::size_t most) {
  const double per_call = std::max(1.0, static_cast<double>(net_ns)) /
                          static_cast<double>(std::max<std::size_t>(1, calls));
  const double wanted = std::ceil(headroom * static_cast<double>(span.count()) / per_call);
  return static_cast<std::size_t>(
      std::clamp(wanted, 1.0, static_cast<double>(std::max<std::size_t>(1, most))));
}

}  // namespace robust_kbench

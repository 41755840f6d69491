#include "evaluate/large_config.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/cipher.hpp"
#include "core/seed.hpp"
#include "evaluate/greatest_prime.hpp"
#include "evaluate/reference_seconds.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double seconds_of_case = 0.5;
// The case has two contents, and limits are measured on three more. Each costs a reference, a
// result of torch in float32, and a call or two.
constexpr double shares = 10;
constexpr std::int64_t short_size = 16;  // sizes up to it change by one
constexpr double shortening = 0.7;       // a size's factor where the config is too costly
constexpr int max_tries = 200;
constexpr double least_share = 0.5;  // of the dearest point, among those that may be chosen

double elements(const Task& task, Direction direction, const Params& params) {
  return elements_of({task, direction, params}).value_or(0);
}

bool is_listed(const std::vector<Config>& listed, const Params& params) {
  return std::ranges::find(listed, params, &Config::params) != listed.end();
}

Config named(Params params, double share) {
  Config config{.set = ConfigSet::drawn, .name = "drawn_large", .params = std::move(params)};
  if (share < least_share) {
    config.note = fmt::format(
        "{:.2g} % of the elements of the largest listed config, as many as its {} s allow",
        100 * share, seconds_of_case);
  }
  return config;
}

class LargeConfigDrawer {
 public:
  LargeConfigDrawer(const Task& task, Direction direction, Device device, std::uint64_t key)
      : m_task(task), m_direction(direction), m_device(device), m_random(key) {}

  // Sizes beside those of the config, or nullopt if none of some draws fits.
  std::optional<Params> beside(const std::vector<Config>& listed, const Params& largest) {
    const double most = size_of(largest);
    for (int i = 0; i < max_tries; ++i) {
      Params params = largest;
      for (const SizeRange& range : m_task.shapes->sizes) {
        params.set(range.parameter, near(range, largest.integer(range.parameter)));
      }
      if (is_allowed(params) && size_of(params) <= most && !is_listed(listed, params)) {
        return params;
      }
    }
    return std::nullopt;
  }

  // The config with sizes so short that its case fits its time.
  Params shortened(Params params) {
    for (int i = 0; i < max_tries && !is_fast(params); ++i) {
      const std::vector<SizeRange>& sizes = m_task.shapes->sizes;
      const SizeRange& range = sizes[m_random.below(sizes.size())];
      const std::int64_t now = params.integer(range.parameter);
      if (now <= short_size) continue;
      Params shorter = params;
      shorter.set(range.parameter, rounded(range, shortening * static_cast<double>(now)));
      if (is_allowed(shorter) && size_of(shorter) < size_of(params)) params = std::move(shorter);
    }
    return params;
  }

  [[nodiscard]] bool is_fast(const Params& params) const {
    return shares * reference_seconds({m_task, m_direction, params}, m_device) <= seconds_of_case;
  }

  [[nodiscard]] double size_of(const Params& params) const {
    return elements(m_task, m_direction, params);
  }

  std::size_t choose(std::size_t count) { return m_random.below(count); }

 private:
  [[nodiscard]] bool is_allowed(const Params& params) const {
    return size_of(params) > 0 && (!m_task.shapes->valid || m_task.shapes->valid(params));
  }

  std::int64_t near(const SizeRange& range, std::int64_t listed) {
    const std::int64_t steps = listed / range.multiple;
    if (steps <= short_size) {
      const std::int64_t one = m_random.below(2) == 0 ? range.multiple : -range.multiple;
      const std::int64_t changed = steps * range.multiple + one;
      return changed >= range.least && changed <= std::max(range.most, listed) ? changed : listed;
    }
    const auto eighth = static_cast<std::uint64_t>(steps / 8);
    return rounded(
        range, static_cast<double>((steps - 1 - static_cast<std::int64_t>(m_random.below(eighth))) *
                                   range.multiple));
  }

  // The greatest odd or prime number of steps up to a value, as the next draw decides.
  std::int64_t rounded(const SizeRange& range, double value) {
    const std::int64_t least = (range.least + range.multiple - 1) / range.multiple;
    const std::int64_t from =
        std::max(least, static_cast<std::int64_t>(value / static_cast<double>(range.multiple)));
    const std::int64_t odd = std::max(least, from % 2 == 1 ? from : from - 1);
    const bool prime = m_random.below(2) == 0;
    return (prime ? greatest_prime(least, from).value_or(odd) : odd) * range.multiple;
  }

  const Task& m_task;
  const Direction m_direction;
  const Device m_device;
  CipherStream m_random;
};

}  // namespace

std::optional<Config> large_config(const Task& task, Direction direction, Device device,
                                   const std::vector<Config>& listed, std::uint64_t nonce) {
  if (!task.shapes || listed.empty()) return std::nullopt;
  LargeConfigDrawer drawer(
      task, direction, device,
      derived_key(nonce, "large config of " + task.name, static_cast<std::uint64_t>(direction)));
  const Params& largest = std::ranges::max_element(listed, {}, [&](const Config& config) {
                            return drawer.size_of(config.params);
                          })->params;
  const double most = drawer.size_of(largest);
  if (task.shapes->sizes.empty()) {
    std::vector<Params> points = task.shapes->large;
    std::erase_if(points, [&](const Params& params) {
      return is_listed(listed, params) || !drawer.is_fast(params);
    });
    double dearest = 0;
    for (const Params& params : points) dearest = std::max(dearest, drawer.size_of(params));
    std::erase_if(points, [&](const Params& params) {
      return drawer.size_of(params) < least_share * dearest;
    });
    if (points.empty()) return std::nullopt;
    Params chosen = points[drawer.choose(points.size())];
    const double share = drawer.size_of(chosen) / most;
    return named(std::move(chosen), share);
  }
  std::optional<Params> params = drawer.beside(listed, largest);
  if (!params) return std::nullopt;
  Params fitting = drawer.shortened(*std::move(params));
  if (!drawer.is_fast(fitting) || is_listed(listed, fitting)) return std::nullopt;
  const double share = drawer.size_of(fitting) / most;
  return named(std::move(fitting), share);
}

}  // namespace robust_kbench

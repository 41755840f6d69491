#include "evaluate/drawn_configs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/cipher.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "evaluate/greatest_prime.hpp"
#include "ipc/arena.hpp"
#include "tensor/tensor_spec.hpp"
#include "tensor/workload.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr int configs_without_slack = 2;  // drawn_1 and drawn_2

// The cost of a config: elements of its tensors, and flops.
struct ConfigLoad {
  double elements = 0;
  double flops = 0;

  friend bool operator==(const ConfigLoad&, const ConfigLoad&) = default;
};

// nullopt where a tensor would be empty.
std::optional<ConfigLoad> load_of(const Workload& workload) {
  const std::optional<double> elements = elements_of(workload);
  if (!elements) return std::nullopt;
  return ConfigLoad{.elements = *elements, .flops = cost_of(workload).flops};
}

// Whether the largest input takes a multiple of `unit` bytes. Then it ends where an unmapped page
// begins (check/examiner.hpp), and a read beyond it is seen.
bool fills_units(const Workload& workload, std::uint64_t unit) {
  std::uint64_t largest = 0;
  for (const TensorSpec& spec : workload.input_specs()) {
    largest = std::max(largest, bytes_of(spec));
  }
  return largest % unit == 0;
}

std::uint64_t key_of_configs(const Task& task, Direction direction, std::uint64_t nonce) {
  return derived_key(nonce, "configs of " + task.name, static_cast<std::uint64_t>(direction));
}

// Draws values of one size. Counts in multiples, so that 1 is the smallest step.
class SizeDrawer {
 public:
  SizeDrawer(const SizeRange& range, CipherStream& random)
      : m_range(range),
        m_low((range.least + range.multiple - 1) / range.multiple),
        m_high(range.most / range.multiple),
        m_random(random) {}

  // Whether the range contains sizes of several magnitudes.
  [[nodiscard]] bool is_wide() const { return m_high >= 8 * std::max<std::int64_t>(m_low, 1); }

  std::int64_t least() const { return m_low * m_range.multiple; }

  std::int64_t past_a_block() {
    constexpr std::array<std::int64_t, 8> blocks{8, 16, 32, 64, 128, 256, 512, 1024};
    std::vector<std::int64_t> fitting;
    for (const std::int64_t block : blocks) {
      if (block + 1 >= m_low && block + 1 <= m_high) fitting.push_back(block + 1);
    }
    if (fitting.empty()) return any();
    return fitting[m_random.below(fitting.size())] * m_range.multiple;
  }

  // An odd size in the highest quarter of the range's magnitudes.
  std::int64_t long_and_odd() { return scaled(odd(0.75, 1.0)); }

  std::int64_t anything() {
    switch (m_random.below(6)) {
      case 0:
        return least();
      case 1:
        return past_a_block();
      case 2:
        return scaled(odd(0.0, 1.0));
      case 3:
        return scaled(prime());
      default:
        return any();
    }
  }

 private:
  std::int64_t any() { return scaled(magnitude(0.0, 1.0)); }

  // A magnitude of the part [from, to] of the range, drawn uniformly.
  std::int64_t magnitude(double from, double to) {
    constexpr double steps = 1 << 20;
    const double part = from + (to - from) * static_cast<double>(m_random.below(1 << 20)) / steps;
    const auto low = static_cast<double>(m_low + 1);  // the least may be 0
    const auto high = static_cast<double>(m_high + 1);
    return std::llround(low * std::pow(high / low, part)) - 1;
  }

  std::int64_t odd(double from, double to) {
    const std::int64_t odd = magnitude(from, to) | 1;
    return odd <= m_high ? odd : std::max(m_low, odd - 2);
  }

  // The greatest prime up to a drawn magnitude, or the magnitude where there is none.
  std::int64_t prime() {
    const std::int64_t from = magnitude(0.0, 1.0);
    return greatest_prime(m_low, from).value_or(from);
  }

  [[nodiscard]] std::int64_t scaled(std::int64_t steps) const {
    return std::clamp(steps, m_low, m_high) * m_range.multiple;
  }

  const SizeRange& m_range;
  const std::int64_t m_low;
  const std::int64_t m_high;
  CipherStream& m_random;
};

class ConfigDrawer {
 public:
  ConfigDrawer(const Task& task, Direction direction, const std::vector<Config>& listed,
               std::uint64_t nonce)
      : m_task(task),
        m_direction(direction),
        m_listed(listed),
        m_random(key_of_configs(task, direction, nonce)) {
    check();
    m_most = median_load();
    for (const SizeRange& range : task.shapes->sizes) {
      if (matters(range)) m_sizes.push_back(range);
    }
    if (m_sizes.empty()) fail("name no size on which its tensors depend");
  }

  // The config of this number, 0 to 2, whose parameters differ from those of `others`.
  Config draw(int number, const std::vector<Config>& others) {
    constexpr int max_tries = 20'000;
    for (int i = 0; i < max_tries; ++i) {
      // All sizes of the wanted kind may be too costly. So the second half of the tries takes any.
      Params params = candidate(i < max_tries / 2 ? number : drawn_configs_count);
      if (is_among(others, params) || is_among(m_listed, params) || !is_fit(params)) continue;
      // Few small configs fill whole units of a GPU, and some no unit of a CPU.
      const std::uint64_t unit = i < max_tries / 8   ? gpu_arena_alignment
                                 : i < max_tries / 4 ? arena_alignment
                                                     : 1;
      if (number < configs_without_slack && !fills_units({m_task, m_direction, params}, unit)) {
        continue;
      }
      return {.set = ConfigSet::drawn,
              .name = fmt::format("drawn_{}", number + 1),
              .params = std::move(params)};
    }
    fail(
        fmt::format("allow fewer than {} configs beside the listed ones that cost no more than "
                    "the median of those",
                    drawn_configs_count));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(
        fmt::format("task '{}': its shapes {}; correct them, or declare none", m_task.name, what));
  }

  void check() const {
    for (const SizeRange& range : m_task.shapes->sizes) {
      const auto known = m_task.defaults.values().find(range.parameter);
      if (known == m_task.defaults.values().end() ||
          !std::holds_alternative<std::int64_t>(known->second)) {
        fail(fmt::format("name '{}', which is no integer parameter", range.parameter));
      }
      if (range.multiple < 1 || range.least < 0 ||
          (range.least + range.multiple - 1) / range.multiple > range.most / range.multiple) {
        fail(fmt::format("let '{}' be a multiple of {} from {} to {}, which none is",
                         range.parameter, range.multiple, range.least, range.most));
      }
    }
  }

  [[nodiscard]] std::optional<ConfigLoad> load(const Params& params) const {
    return load_of({m_task, m_direction, params});
  }

  // The lower median of both parts over the listed configs.
  [[nodiscard]] ConfigLoad median_load() const {
    std::vector<double> elements;
    std::vector<double> flops;
    for (const Config& config : m_listed) {
      const ConfigLoad of_config = load(config.params).value_or(ConfigLoad());
      elements.push_back(of_config.elements);
      flops.push_back(of_config.flops);
    }
    const auto median = [](std::vector<double>& values) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
      std::nth_element(values.begin(), middle, values.end());
      return *middle;
    };
    return {median(elements), median(flops)};
  }

  // False for a size that this direction does not use.
  [[nodiscard]] bool matters(const SizeRange& range) const {
    Params least = m_listed.front().params;
    Params most = least;
    least.set(range.parameter, range.least);
    most.set(range.parameter, range.most);
    return load(least) != load(most);
  }

  Params candidate(int number) {
    Params params = m_listed[m_random.below(m_listed.size())].params;
    for (const SizeRange& range : m_sizes) {
      params.set(range.parameter, SizeDrawer(range, m_random).anything());
    }
    const SizeRange& chosen = m_sizes[m_random.below(m_sizes.size())];
    SizeDrawer drawer(chosen, m_random);
    if (number == 0 && drawer.is_wide()) params.set(chosen.parameter, drawer.past_a_block());
    if (number == 1 && drawer.is_wide()) params.set(chosen.parameter, drawer.long_and_odd());
    if (number == 2) params.set(chosen.parameter, drawer.least());
    return params;
  }

  [[nodiscard]] bool is_fit(const Params& params) const {
    if (m_task.shapes->valid && !m_task.shapes->valid(params)) return false;
    const std::optional<ConfigLoad> drawn = load(params);
    return drawn && drawn->elements <= m_most.elements && drawn->flops <= m_most.flops;
  }

  static bool is_among(const std::vector<Config>& configs, const Params& params) {
    return std::any_of(configs.begin(), configs.end(),
                       [&](const Config& config) { return config.params == params; });
  }

  const Task& m_task;
  const Direction m_direction;
  const std::vector<Config>& m_listed;
  CipherStream m_random;
  ConfigLoad m_most;
  std::vector<SizeRange> m_sizes;
};

// Drawn configs of a task that knows only some points.
std::vector<Config> configs_at_points(const Task& task, Direction direction,
                                      const std::vector<Config>& listed, std::uint64_t nonce) {
  std::vector<Params> points;
  for (const Params& point : task.shapes->points) {
    const auto is_it = [&](const Config& config) { return config.params == point; };
    if (std::none_of(listed.begin(), listed.end(), is_it)) points.push_back(point);
  }
  CipherStream random(key_of_configs(task, direction, nonce));
  std::shuffle(points.begin(), points.end(), random);
  std::ranges::stable_partition(points, [&](const Params& point) {
    return fills_units({task, direction, point}, arena_alignment);
  });
  points.resize(std::min<std::size_t>(points.size(), drawn_configs_count));
  std::vector<Config> configs;
  for (Params& point : points) {
    configs.push_back({.set = ConfigSet::drawn,
                       .name = fmt::format("drawn_{}", configs.size() + 1),
                       .params = std::move(point)});
  }
  return configs;
}

}  // namespace

std::vector<Config> drawn_configs(const Task& task, Direction direction,
                                  const std::vector<Config>& listed, std::uint64_t nonce) {
  if (!task.shapes || listed.empty()) return {};
  if (!task.shapes->points.empty()) return configs_at_points(task, direction, listed, nonce);
  ConfigDrawer drawer(task, direction, listed, nonce);
  std::vector<Config> configs;
  for (int number = 0; number < drawn_configs_count; ++number) {
    configs.push_back(drawer.draw(number, configs));
  }
  return configs;
}

}  // namespace robust_kbench

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/config.hpp"
#include <robust_kbench/direction.hpp>
#include <robust_kbench/probe.hpp>

namespace robust_kbench {

Direction parse_direction(std::string_view name);  // throws UserError

// The (task, direction) that a kernel implements: "mnist_linear.forward".
struct Entry {
  std::string task;
  Direction direction = Direction::forward;

  [[nodiscard]] std::string name() const;
  friend bool operator==(const Entry&, const Entry&) = default;
};

// Config + seed: one correctness test.
struct Case {
  Config config;
  std::uint64_t seed = 0;
  std::optional<Probe> probe = {};  // none: typical data

  // A name that is unique within an entry: "small/batch_size_3.num_features_5/seed_2" or "drawn_1".
  // A probe's name is like "ties/small/batch_size_3.num_features_5".
  [[nodiscard]] std::string name() const;
  // False for a probe, and for a drawn config.
  [[nodiscard]] bool is_listed() const { return !probe && config.set != ConfigSet::drawn; }
  // The question of a case that is not listed, as "drawn config drawn_1: batch_size 33,
  // num_features 5" or "probe ties/small/...: ties". A config's note stands in parentheses after
  // its name. Empty for a listed case.
  [[nodiscard]] std::string asks() const;
};

// Seeds 1 to 5, the number that robust-kbench uses.
inline constexpr int default_seeds = 5;

// The name that stands for all cases of a probe: "probe.ties".
std::string probe_name(Probe probe);

// The name used in place of a case's where all cases of a kernel run in one worker.
inline constexpr std::string_view sequence_name = "sequence";

// The name of a test in CTest and GoogleTest: "mnist_linear.forward.<kernel>.<case>". Characters
// outside [A-Za-z0-9_./] become '_'. `case_name` may also be `sequence_name`.
std::string test_name(const Entry& entry, std::string_view kernel, std::string_view case_name);

}  // namespace robust_kbench

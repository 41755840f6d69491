#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/import/importer_program.hpp"
#include "core/config.hpp"
#include "core/device.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// A torch.compile package of one config of an imported task, and what became of it.
struct BaselinePackage {
  const Task* task = nullptr;
  Direction direction = Direction::forward;
  Config config;
  std::filesystem::path path;  // where it belongs (bench/packages.hpp)
  enum class State { unchanged, made, refused };
  State state = State::unchanged;
  double seconds = 0;  // that it took
  std::string reason;  // of a refusal
  std::string remedy;
};

struct BaselinePlace {
  const ImporterProgram& program;
  const Toolchain& toolchain;
  Device device = Device::cpu;
  double seconds = 0;  // that each may take
};

// Makes the packages that are missing, and tells of each as it ends. One process of the importer
// makes them one after another, from the tasks' graphs alone. Another process goes on after a
// package that ends it or takes too long. Throws UserError where none can be made at all, and
// Cancelled where `stop` is requested.
void make_baseline_packages(const BaselinePlace& place, std::vector<BaselinePackage>& packages,
                            const std::function<void(const BaselinePackage&)>& told,
                            const std::stop_token& stop);

}  // namespace robust_kbench

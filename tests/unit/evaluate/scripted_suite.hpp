#pragma once

#include <fstream>
#include <functional>
#include <limits>
#include <string>

#include "../bench/doubling_task.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "evaluate/evaluator.hpp"
#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

// The doubling task with two small configs, and kernels of a build that behave as their names say.
class ScriptedSuite {
 public:
  ScriptedSuite() {
    write("config_forward.json",
          R"({"small_init_configs": [{}], "small_input_configs": [{"size": 100}, {"size": 17}],)"
          R"( "small_shared_configs": [{}],)"
          R"( "single_init_configs": [{}], "single_input_configs": [{"size": 64}],)"
          R"( "single_shared_configs": [{}]})");
    m_manifest.toolchain.worker = SCRIPTED_KERNEL;
    m_manifest.tasks = {{.name = m_task.name, .directory = m_directory.path()}};
    m_manifest.toolchain.baseline_command = {SCRIPTED_KERNEL, "baseline"};
    m_options.bench.threads = 1;
    m_options.bench.workers = 2;
    // Any interval is narrow enough.
    m_options.bench.target_interval = std::numeric_limits<double>::infinity();
    m_options.bench.batch_span = std::chrono::milliseconds{1};
    // The limit of calls is too long to end a call that hangs.
    m_options.bench.call_timeout = std::chrono::minutes{5};
    m_options.idle_after = std::chrono::hours{1};
  }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = m_directory.path() / name;
    std::ofstream(path) << text;
    return path;
  }

  [[nodiscard]] KernelSource kernel(const std::string& script,
                                    const BuildRecord& build = {.judgement = passed()}) const {
    BuildRecord record = build;
    record.library = script;
    const std::string name = std::to_string(std::hash<std::string>{}(script));
    return {.entry = {m_task.name, Direction::forward},
            .name = script,
            .sources = {"/" + script + ".cpp"},
            .record = write(name + ".json", nlohmann::json(record).dump())};
  }

  const TemporaryDirectory m_directory{"scripted_suite"};
  Task m_task = doubling_task();
  Manifest m_manifest;
  EvaluatorOptions m_options;
};

}  // namespace robust_kbench

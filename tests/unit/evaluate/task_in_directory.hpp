#pragma once

#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "evaluate/evaluator.hpp"
#include "process/temporary_directory.hpp"
#include "tensor/task_registry.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

// A task that a test makes at run time, with config files of its own, and kernels of it.
class TaskInDirectory : public testing::Test {
 protected:
  // `configs` serve both directions. `task_of` makes the task of a directory.
  TaskInDirectory(const std::string& configs,
                  const std::function<Task(const std::string&)>& task_of)
      : m_task(m_tasks.add(task_of(m_directory.path()))) {
    write("config_forward.json", configs);
    write("config_backward.json", configs);
  }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = m_directory.path() / name;
    std::ofstream(path) << text;
    return path;
  }

  KernelRecord evaluate(Direction direction, Device device, const std::string& source,
                        const std::set<Stage>& stages = {Stage::compile, Stage::test}) {
    const std::string name = device == Device::cuda ? "kernel.cu" : "kernel.cpp";
    const KernelSource kernel{.entry = {m_task.name, direction},
                              .name = "kernel",
                              .device = device,
                              .sources = {write(name, source)}};
    EvaluatorOptions options = usual_evaluator_options(device);
    options.compile_cache = false;
    Evaluator evaluator(m_manifest, m_task, direction, device, options);
    return evaluator.submit(kernel, {.scope = {.seeds = 1}, .stages = stages});
  }

  const TemporaryDirectory m_directory{"task_in_directory"};
  const Manifest m_manifest = load_manifest(RKB_MANIFEST);
  TaskRegistry m_tasks;
  const Task& m_task;
};

}  // namespace robust_kbench

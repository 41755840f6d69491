#pragma once

#include <string>

#include "../archive/archive_directory.hpp"
#include "archive/archive.hpp"
#include "evaluate/suite.hpp"
#include "llm/helper_program.hpp"
#include "runs/model_use.hpp"
#include "runs/run.hpp"
#include "runs/run_kind.hpp"
#include "tensor/task_registry.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

// The helper from the sources, without a Python to run it with.
inline const HelperProgram helper_of_sources{.sources = RKB_LLM, .venv = {}, .python = {}};
// The surroundings of a person without a key or a configuration.
inline const Surroundings nobody{.configuration = "/nonexistent/config.json"};

// The settings of a run whose questions a person answers, so that it needs no helper.
inline EvolutionSettings manual_settings() {
  EvolutionSettings settings;
  settings.proposers = {"llm"};
  settings.models = {"manual/person"};
  settings.transport = "manual";
  return settings;
}

// Keeps what a run says.
class Heard : public RunListener {
 public:
  void note(const std::string& text) override { notes += text; }
  void spends(const std::function<std::string()>& spending) override {
    told_spending = bool(spending);
  }

  std::string notes;
  bool told_spending = false;
};

// An archive, with a suite over the build's manifest that knows no tasks.
class RunFixture : public ArchiveDirectory {
 protected:
  RunFixture() : m_archive(place(), Archive::Mode::create), m_suite(m_tasks, RKB_MANIFEST) {}

  RunContext context() {
    return {.suite = m_suite, .archive = m_archive, .models = m_use, .stop = m_stop.get_token()};
  }
  std::string begin(const EvolutionSettings& settings) {
    return begin_run(m_archive, {.entry = {"mnist_pool", Direction::forward}}, settings);
  }

  TaskRegistry m_tasks;
  Archive m_archive;
  Suite m_suite;
  ModelUse m_use{helper_of_sources, {}, nobody};
  std::stop_source m_stop;
};

}  // namespace robust_kbench

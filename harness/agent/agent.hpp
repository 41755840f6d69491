#pragma once

#include <string>
#include <vector>

#include "report/page_paths.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The places of the helper for language models in this build. They stand in the program itself, as
// a variable could name another helper, which would get the person's keys.
struct HelperPaths {
  std::string sources;  // the directory llm/
  std::string venv;     // its virtual environment, made when it is first needed
  std::string python;   // used in place of the venv's; empty: none was named
};

// The program `rkb_agent` over the given tasks. Returns its exit code (core/error.hpp).
int agent_main(int argc, char** argv, const std::vector<Task>& tasks, const HelperPaths& helper,
               const PagePaths& page);

}  // namespace robust_kbench

#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace robust_kbench {

// --task and --direction, which select kernels of the build; empty: all of them. The strings
// outlive the parsing.
void add_entry_options(CLI::App& command, std::string& task, std::string& direction);

}  // namespace robust_kbench

#pragma once

#include <string>

#include "command/command_line.hpp"
#include "evolve/settings.hpp"
#include "llm/cap_source.hpp"

namespace robust_kbench {

// The options that commands which ask verifiers have in common.
struct VerifierRunOptions {
  std::string model;      // of the verifiers; empty: the provider's default
  std::string writer;     // of instructions; empty: the provider's default
  std::string settings;   // a JSON file
  std::string transport;  // empty: that of the settings
  int reflections = -1;   // of each review; -1: those of the settings
  int generations = 0;    // of instructions; 0: those of the settings
  bool raw_mistakes = false;
  std::string archive;
  std::string resume;
  std::string replay;
  bool dry_run = false;
  CapTexts cap;
};

// Declares the options that all of these commands have. `options` outlives the parsing.
void add_verifier_run_options(CommandLine& command, VerifierRunOptions& options);
// Declares --reflections, for commands whose models look again.
void add_reflections_option(CommandLine& command, VerifierRunOptions& options);

// Writes the options into settings. Only the first of several models is kept, which writes
// instructions.
void apply_verifier_options(EvolutionSettings& settings, const VerifierRunOptions& options);

}  // namespace robust_kbench

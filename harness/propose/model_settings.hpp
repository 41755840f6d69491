#pragma once

#include <string>
#include <vector>

namespace robust_kbench {

// Settings of how language models propose kernels: the models that are asked, and the content of
// their prompts.
struct ModelSettings {
  std::vector<std::string> models;  // "provider/name", one drawn for each proposal
  std::vector<std::string> temperatures{"0", "0.5", "0.75", "1"};     // one is drawn
  std::vector<std::string> efforts{"auto", "high", "medium", "low"};  // one is drawn
  int max_output_tokens = 16384;                                      // of a proposal
  std::string context = "top";            // which other kernels a prompt shows: best, top or random
  int context_size = 5;                   // kernels that a prompt shows, the parent included
  int examples = 1;                       // of an answer that a prompt shows: 0 or 1
  double left_out = 0.5;                  // share of the recommendations that a prompt leaves out
  int repairs = 1;                        // of a proposal that failed: 0 or 1
  double tune_share = 0.25;               // of the proposals that come from `tune` beside models
  std::string profile_summary = "rules";  // who puts a profile into words: rules, llm or off
  std::string on_model_failure = "stop";  // where models fail again and again: stop or go_on

  friend bool operator==(const ModelSettings&, const ModelSettings&) = default;
};

}  // namespace robust_kbench

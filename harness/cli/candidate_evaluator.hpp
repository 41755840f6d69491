#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "evaluate/suite.hpp"
#include "evolve/evaluation.hpp"
#include "evolve/live_evaluator.hpp"

namespace robust_kbench {

// What a run's evaluations are of.
struct EvaluatorRequest {
  std::string task;
  std::string direction;
  std::string configs;  // the set that counts; empty: the device's usual one
  std::vector<std::string> estimators;
  double slower_limit = 0.1;
  int side_by_side = 1;
};

std::vector<ConfigSet> config_sets(const std::string& configs);

// Evaluates on this process's device. `suite` outlives it. `options` say how it ends and shows
// progress; the request says all else.
std::unique_ptr<CandidateEvaluator> candidate_evaluator(const Suite& suite, Device device,
                                                        const EvaluatorRequest& request,
                                                        LiveEvaluatorOptions options);

// Evaluates on several GPUs, given by their indices, each in a process of its own. `search` ends
// what decides a candidate, and `stop` all.
std::unique_ptr<CandidateEvaluator> evaluator_on_gpus(const std::string& manifest_path,
                                                      const std::vector<int>& gpus,
                                                      const EvaluatorRequest& request,
                                                      const std::stop_token& stop,
                                                      const std::stop_token& search);

}  // namespace robust_kbench

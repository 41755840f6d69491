#include "check/output_check.hpp"

#include <algorithm>
#include <string>

#include "tensor/comparison.hpp"
#include "tensor/kernelbench_rule.hpp"

namespace robust_kbench {
namespace {

std::string names_of(const std::vector<Output>& outputs) {
  std::string names;
  for (const Output& output : outputs) names += (names.empty() ? "" : ", ") + output.name;
  return names;
}

void complain(Judgement& judgement, const std::string& message) {
  judgement.verdict = Verdict::wrong_result;
  judgement.reason += (judgement.reason.empty() ? "" : "\n") + message;
}

// Avoids a second comparison: if our limits are narrower than KernelBench's, an output within ours
// is within KernelBench's, too.
bool is_kernelbench_close(const Comparison& comparison, const PrecisionLimits& limits,
                          const at::Tensor& actual, const at::Tensor& expected) {
  const bool stricter =
      limits.atol <= kernelbench_tolerance && limits.rtol <= kernelbench_tolerance;
  if (comparison.equal && stricter) return true;
  return robust_kbench::is_kernelbench_close(actual, expected);
}

}  // namespace

OutputCheck check_outputs(const Contract& contract, const std::vector<PrecisionLimits>& limits,
                          const std::vector<at::Tensor>& outputs,
                          const std::vector<at::Tensor>& references, const OutputParts& parts) {
  OutputCheck check{.judgement = passed(), .errors = {}, .squares = {}};
  Judgement& judgement = check.judgement;
  if (contract.out_arguments && outputs.size() > references.size()) {
    complain(judgement, "The kernel returned something. Its last arguments are its outputs (" +
                            names_of(contract.outputs) + "); write to them, and return nothing.");
    return check;
  }
  if (outputs.size() != references.size()) {
    complain(judgement, "The number of outputs does not match: got " +
                            std::to_string(outputs.size()) + ", expected " +
                            std::to_string(references.size()) + " (" + names_of(contract.outputs) +
                            ").");
    return check;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Output& expected = contract.outputs.at(i);
    const std::size_t first = check.squares.size();
    check.squares.resize(first + 1 + limits.at(i).parts.size());
    if (outputs[i].defined() != references[i].defined()) {
      complain(judgement, "Output '" + expected.name + "' is " +
                              (outputs[i].defined() ? "a tensor, expected None."
                                                    : "None, expected a tensor."));
      continue;
    }
    if (!references[i].defined()) continue;
    // A loss of shape (1,) counts as a scalar, since published kernels return one.
    const bool scalar = references[i].dim() == 0 && outputs[i].numel() == 1;
    const at::Tensor output = scalar ? outputs[i].reshape({}) : outputs[i];
    const Comparison comparison = compare(expected, limits[i], output, references[i],
                                          i < parts.size() ? parts[i] : std::vector<OutputPart>());
    if (!comparison.equal) {
      complain(judgement, comparison.message);
      judgement.examples.insert(judgement.examples.end(), comparison.examples.begin(),
                                comparison.examples.end());
    }
    check.squares[first] = comparison.squares;
    std::ranges::copy(comparison.parts,
                      check.squares.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    OutputError error{
        .name = expected.name,
        .max_abs = comparison.max_abs,
        .max_rel = comparison.max_rel,
        .rms = comparison.squares.rms(),
        .kernelbench_close = is_kernelbench_close(comparison, limits[i], output, references[i])};
    if (const auto& rms = limits[i].rms) {
      error.max_abs_limit = limits[i].atol;
      error.rms_limit = rms->most;
    }
    check.errors.push_back(std::move(error));
  }
  return check;
}

}  // namespace robust_kbench

#include "verify/known_kernels.hpp"

#include "core/error.hpp"

namespace robust_kbench {

std::vector<KnownKernel> known_kernels(const LabelledSet& set, Verifier verifier,
                                       std::optional<Split> split, const SubjectOf& subject_of) {
  std::vector<KnownKernel> known;
  for (const LabelledKernel* kernel : set.of(verifier, split)) {
    known.push_back({.name = kernel->name,
                     .subject = subject_of(kernel->entry),
                     .code = kernel->source,
                     .truth = kernel->labels.at(verifier).truth});
  }
  if (known.empty()) {
    throw UserError("the set has no " + (split ? std::string(to_string(*split)) + " " : "") +
                    "kernels for verifier " + std::string(to_string(verifier)));
  }
  return known;
}

}  // namespace robust_kbench

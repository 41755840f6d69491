#include <numeric>

#include "filter/stand_in.hpp"
#include "tensor/reference.hpp"
#include "tensor/rounded_factors.hpp"
#include "tensor/tensor_spec.hpp"

namespace robust_kbench {
namespace {

bool is_in_float32(const Workload& workload) {
  for (const TensorSpec& spec : workload.tensor_specs()) {
    if (spec.present && c10::isFloatingType(dtype_of(spec))) return dtype_of(spec) == at::kFloat;
  }
  return false;
}

// Whether one call on typical data computes products.
bool has_products(const FilterSubject& subject) {
  const Config& config = subject.configs().front();
  const auto content = subject.typical(config, 1);
  const RoundedFactors rounded(Rounding::tf32);
  (void)eager(subject.workload(config.params), content->tensors);
  return rounded.any();
}

StandIn with_rounded_factors(const FilterSubject& subject, std::string name, Rounding rounding) {
  return {.name = std::move(name),
          .outputs = all_outputs(subject),
          .answer = [&subject, rounding](const Case& of, const Content& content) {
            const RoundedFactors rounded(rounding);
            return eager(subject.workload(of.config.params), content.tensors);
          }};
}

}  // namespace

std::vector<std::size_t> all_outputs(const FilterSubject& subject) {
  std::vector<std::size_t> all(contract(subject.task(), subject.direction()).outputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<StandIn> coarse_kernels(const FilterSubject& subject) {
  if (!is_in_float32(subject.workload(subject.configs().front().params))) return {};
  std::vector<StandIn> kernels{
      {.name = "all in bfloat16",
       .outputs = all_outputs(subject),
       .answer = [&subject](const Case& of, const Content& content) {
         return computed_in(at::kBFloat16, subject.workload(of.config.params), content.tensors);
       }}};
  if (!has_products(subject)) return kernels;
  kernels.push_back(with_rounded_factors(subject, "factors in bfloat16", Rounding::bfloat16));
  kernels.push_back(with_rounded_factors(subject, "factors in TF32", Rounding::tf32));
  return kernels;
}

}  // namespace robust_kbench

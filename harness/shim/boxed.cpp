#include "shim/boxed.hpp"

namespace rkb {

std::vector<rkb_value> to_values(TensorList tensors) {
  std::vector<rkb_value> values;
  for (const Tensor& tensor : tensors) values.push_back(to_value(tensor));
  return values;
}

std::vector<Tensor> call_boxed(const char* name, const char* overload, const rkb_value* arguments,
                               std::int32_t count) {
  constexpr std::int32_t max_results = 256;
  rkb_value results[max_results];
  std::int32_t result_count = 0;
  check_status(table->call(name, overload, arguments, count, results, max_results, &result_count));
  std::vector<Tensor> tensors;
  tensors.reserve(static_cast<std::size_t>(result_count));
  for (std::int32_t i = 0; i < result_count; ++i) {
    tensors.push_back(results[i].kind == RKB_TENSOR ? Tensor::adopt(results[i].as.tensor)
                                                    : Tensor());
  }
  return tensors;
}

}  // namespace rkb

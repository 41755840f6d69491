#include "tensor/shown_number.hpp"

#include <array>
#include <charconv>

namespace robust_kbench {
namespace {

template <typename Number>
std::string shortest(Number value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

std::string shown_number(double value) {
  return shortest(value);
}

std::string shown_element(const at::Tensor& tensor, std::int64_t flat_index) {
  const at::Tensor element = tensor.view({-1}).select(0, flat_index);
  switch (element.scalar_type()) {
    case at::kFloat:
      return shortest(element.item<float>());
    case at::kLong:
      return shortest(element.item<std::int64_t>());
    default:
      return shortest(element.item<double>());
  }
}

}  // namespace robust_kbench

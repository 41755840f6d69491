#pragma once

#include <cstring>

#include <torch/extension.h>

// Functions of each element of a tensor, among them roundings to fewer bits.

template <class Function>
torch::Tensor of_elements(const torch::Tensor& tensor, const Function& function) {
  torch::Tensor result = torch::empty_like(tensor);
  const float* from = tensor.data_ptr<float>();
  float* to = result.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) to[i] = function(from[i]);
  return result;
}

// To the nearest number whose last `dropped` bits are 0.
inline float without_bits(float value, int dropped) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + (1U << (dropped - 1))) & ~((1U << dropped) - 1);
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

inline float to_bfloat16(float value) {
  return without_bits(value, 16);
}

// As many bits as float16 has, in float32's range.
inline float to_tf32(float value) {
  return without_bits(value, 13);
}

// What the first `count` parts of bfloat16 hold together.
inline float to_parts(float value, int count) {
  float held = 0;
  for (int i = 0; i < count; ++i) held += to_bfloat16(value - held);
  return held;
}

#pragma once

#include <filesystem>
#include <fstream>
#include <map>

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

// Writes tensors as tensor_reader.py reads them: raw bytes one after another in tensors.bin of a
// directory, and for each a description, which the caller keeps.
class TensorWriter {
 public:
  explicit TensorWriter(const std::filesystem::path& directory)
      : m_bytes(directory / "tensors.bin", std::ios::binary) {}

  nlohmann::json write(const at::Tensor& tensor) {
    if (!tensor.defined()) return nullptr;
    const at::Tensor dense = tensor.cpu().contiguous();
    const std::int64_t offset = m_offset;
    m_bytes.write(static_cast<const char*>(dense.const_data_ptr()),
                  static_cast<std::streamsize>(dense.nbytes()));
    m_offset += static_cast<std::int64_t>(dense.nbytes());
    return {{"offset", offset},
            {"shape", tensor.sizes().vec()},
            {"stride", tensor.strides().vec()},
            {"dtype", dtype_names().at(tensor.scalar_type())}};
  }

 private:
  static const std::map<at::ScalarType, const char*>& dtype_names() {
    static const std::map<at::ScalarType, const char*> names{
        {at::kFloat, "float32"}, {at::kDouble, "float64"},    {at::kHalf, "float16"},
        {at::kLong, "int64"},    {at::kBFloat16, "bfloat16"}, {at::kBool, "bool"},
        {at::kByte, "uint8"}};
    return names;
  }

  std::ofstream m_bytes;
  std::int64_t m_offset = 0;
};

}  // namespace robust_kbench

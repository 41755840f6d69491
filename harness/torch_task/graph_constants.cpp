#include "torch_task/graph_constants.hpp"

#include <cstring>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "torch_task/base64.hpp"
#include "torch_task/graph_argument.hpp"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr std::size_t most_constant_bytes = std::size_t{16} << 20;

at::Tensor read_constant(const json& constant) {
  const auto shape = constant.at("shape").get<std::vector<std::int64_t>>();
  const at::ScalarType dtype = parse_dtype(constant.at("dtype").get<std::string>());
  const std::string bytes = decode_base64(constant.at("data").get<std::string>());
  double expected = static_cast<double>(c10::elementSize(dtype));
  for (const std::int64_t size : shape) expected *= size < 0 ? -1.0 : static_cast<double>(size);
  if (expected != static_cast<double>(bytes.size()) || bytes.size() > most_constant_bytes) {
    throw UserError(
        fmt::format("a constant has {} bytes where its shape says {}; at most {} are read",
                    bytes.size(), expected, most_constant_bytes));
  }
  at::Tensor tensor = at::empty(shape, dtype);
  std::memcpy(tensor.mutable_data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

std::vector<at::Tensor> converted(const std::vector<at::Tensor>& constants,
                                  const CallSetting& setting) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& constant : constants) {
    const bool converts = setting.floating && constant.is_floating_point();
    all.push_back(
        constant.to(setting.device, converts ? *setting.floating : constant.scalar_type()));
  }
  return all;
}

}  // namespace

GraphConstants::GraphConstants(const json& constants) {
  for (const json& constant : constants) m_constants.push_back(read_constant(constant));
}

std::vector<at::Tensor> GraphConstants::of(const CallSetting& setting) {
  if (m_constants.empty() || !setting.device.is_cuda()) return converted(m_constants, setting);
  const std::scoped_lock lock(m_mutex);
  std::vector<at::Tensor>& kept = m_on_gpu[{setting.device.index(), setting.floating}];
  if (kept.empty()) kept = converted(m_constants, setting);
  return kept;
}

}  // namespace robust_kbench

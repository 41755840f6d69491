#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "torch_task/graph_node.hpp"

#include <ATen/core/Tensor.h>
#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The tensors that a graph holds besides its inputs. Nothing changes them.
class GraphConstants {
 public:
  // Throws UserError where one has other bytes than its shape needs.
  explicit GraphConstants(const nlohmann::json& constants);

  [[nodiscard]] std::size_t size() const { return m_constants.size(); }

  // On the device and in the floating dtype of a call. Those on a GPU are kept: copies for each
  // call would be counted as the module's time.
  [[nodiscard]] std::vector<at::Tensor> of(const CallSetting& setting);

 private:
  using Key = std::pair<c10::DeviceIndex, std::optional<at::ScalarType>>;

  std::vector<at::Tensor> m_constants;
  std::mutex m_mutex;
  std::map<Key, std::vector<at::Tensor>> m_on_gpu;
};

}  // namespace robust_kbench

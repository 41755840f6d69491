#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "torch_task/graph_node.hpp"

#include <ATen/core/Tensor.h>
#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The tensors that a graph holds besides its inputs. They never change.
class GraphConstants {
 public:
  // Throws UserError if a constant has other bytes than its shape needs.
  explicit GraphConstants(const nlohmann::json& constants);

  [[nodiscard]] std::size_t size() const { return m_constants.size(); }

  // The constants on the device and in the floating dtype of a call. Those on a GPU are kept, since
  // copies for each call would count as the module's time.
  [[nodiscard]] std::vector<at::Tensor> of(const CallSetting& setting);

 private:
  using Key = std::pair<c10::DeviceIndex, std::optional<at::ScalarType>>;

  std::vector<at::Tensor> m_constants;
  std::mutex m_mutex;
  std::map<Key, std::vector<at::Tensor>> m_on_gpu;
};

}  // namespace robust_kbench

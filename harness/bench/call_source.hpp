#pragma once

#include <cstdint>
#include <vector>

#include "tensor/workload.hpp"

namespace robust_kbench {

// An endless supply of calls of one config, whose contents a kernel has not seen and cannot
// foresee. Every element of every tensor of every call is drawn anew from the task's distributions,
// on the tensor's own device. Calls are independent of each other. A constant that names a spread
// is drawn from that, and other constants stay.
//
// Near a kink of the task incoming gradients are 0, as in tests. That costs about two float32
// forwards for each call.
class CallSource {
 public:
  // `key` is secret. The tensors lie on `device`.
  CallSource(const Workload& workload, std::uint64_t key, c10::Device device = c10::kCPU);

  // The calls of one batch. Their memory is reused once none of their tensors is left.
  std::vector<Tensors> batch(std::size_t calls);

  [[nodiscard]] std::size_t bytes_per_call() const { return m_bytes_per_call; }

 private:
  struct Source {
    TensorSpec spec;  // of one call's tensor
    // Tensors with room for all calls of a batch. They are reused, since new pages would cost more
    // than new numbers.
    std::vector<at::Tensor> memory = {};
  };

  // Waits for memory if the device is a GPU.
  template <typename Work>
  void on_device(const Work& work) const;
  void add_gradients();
  [[nodiscard]] std::uint64_t next_random();
  [[nodiscard]] std::vector<Tensors> make(std::size_t calls);
  void draw(Source& source, std::vector<Tensors>& batch);
  [[nodiscard]] at::Tensor memory_of(Source& source, std::size_t calls) const;

  Workload m_workload;
  std::uint64_t m_key;
  c10::Device m_device;
  std::uint64_t m_counter = 0;
  std::vector<Source> m_sources;
  std::size_t m_bytes_per_call = 1;
};

}  // namespace robust_kbench

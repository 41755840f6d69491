#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/workload.hpp"

namespace robust_kbench {

// An endless supply of calls of one config, whose contents a kernel has not seen and cannot
// foresee. A call costs no more than a copy. A timed batch needs hundreds of calls, and generating
// every element anew would take longer than running them.
//
// Each tensor of a call is a window at a random place in a longer random tensor. So weights and
// inputs differ from call to call, and combine at random. Where the task has a kink, incoming
// gradients depend on the other tensors of their call, so whole calls are kept. One of them is
// renewed with each batch. Each draw multiplies every element of an incoming gradient by a random
// factor of its own.
class CallSource {
 public:
  // `key` is secret. The tensors are views or copies in this object's memory on `device`.
  CallSource(const Workload& workload, std::uint64_t key, c10::Device device = c10::kCPU);

  // The calls of one batch.
  std::vector<Tensors> batch(std::size_t calls);

  [[nodiscard]] std::size_t bytes_per_call() const { return m_bytes_per_call; }

 private:
  [[nodiscard]] std::uint64_t next_random();
  [[nodiscard]] Tensors make();
  [[nodiscard]] Tensors windows();
  [[nodiscard]] Tensors scaled();

  struct Pool {
    std::string name;
    at::Tensor elements;  // flat; undefined: an absent optional tensor
    std::vector<std::int64_t> shape;
  };

  Workload m_workload;
  std::uint64_t m_key;
  c10::Device m_device;
  std::uint64_t m_counter = 0;
  bool m_whole_calls;
  std::size_t m_bytes_per_call = 0;
  std::vector<Pool> m_pools;     // unless whole calls are kept
  std::vector<Tensors> m_calls;  // the whole calls
  at::Tensor m_factors;          // for their incoming gradients, of which each draw takes windows
  std::size_t m_last = 0;        // call drawn last
  std::size_t m_renewed = 0;     // call renewed last
};

}  // namespace robust_kbench

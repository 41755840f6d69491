#pragma once

#include <cstddef>
#include <ctime>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/baseline_load.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// The eager baseline of the doubling task without torch, which takes 0.2 s to start. Each call
// takes a set amount of processor time. Calls that do nothing are served, too.
class DoublingBaseline final : public Subject {
 public:
  // If `failure` is not empty, every call fails with it.
  explicit DoublingBaseline(Arena& arena, std::string failure = "")
      : m_arena(arena), m_failure(std::move(failure)) {}

  Loaded load(const Load& load) override {
    m_is_noop = decode_baseline_load(load).kind == BaselineLoad::Kind::noop;
    return {.parameters = {}, .headers = KernelHeaders::torch};
  }

  void prepare(const std::vector<Call>& calls) override { m_calls = calls; }

  void call(std::size_t index) override {
    if (m_is_noop) return;
    if (!m_failure.empty()) throw SubjectError(Failure::exception, m_failure);
    const std::clock_t end = std::clock() + call_ticks;
    // All tensors are passed, and the last one is x or the incoming gradient.
    TensorRef tensor = std::get<TensorRef>(m_calls[index].arguments.back().value);
    const auto count = static_cast<std::size_t>(tensor.sizes[0]);
    const auto* from = reinterpret_cast<const float*>(m_arena.data() + tensor.offset);
    auto* to = static_cast<float*>(arena_allocate(m_arena, count * sizeof(float)));
    for (std::size_t i = 0; i < count; ++i) to[i] = 2.0F * from[i];
    tensor.offset = *m_arena.offset_of(to, count * sizeof(float));
    m_outputs.push_back({tensor});
    while (std::clock() < end) {
    }
  }

  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    if (m_is_noop) return {{m_arena.data(), std::size_t{4096}}};
    const auto& y = std::get<TensorRef>(m_outputs.at(index).front());
    return {{m_arena.data() + y.offset, static_cast<std::size_t>(y.sizes[0]) * sizeof(float)}};
  }

  std::vector<std::vector<ResultValue>> collect() override {
    if (m_is_noop) return std::vector<std::vector<ResultValue>>(m_calls.size());
    return m_outputs;
  }

  void release() override { m_outputs.clear(); }

 private:
  static constexpr std::clock_t call_ticks = CLOCKS_PER_SEC / 20'000;

  Arena& m_arena;
  std::string m_failure;
  bool m_is_noop = false;
  std::vector<Call> m_calls;
  std::vector<std::vector<ResultValue>> m_outputs;
};

}  // namespace robust_kbench

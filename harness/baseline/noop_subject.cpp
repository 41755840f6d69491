#include "baseline/noop_subject.hpp"

#include <functional>
#include <utility>

#include "device/cuda_spin.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

namespace robust_kbench {
namespace {

class NoopSubject final : public Subject {
 public:
  NoopSubject(const Arena& arena, std::function<void()> launch)
      : m_arena(arena), m_launch(std::move(launch)) {}

  Loaded load(const Load&) override { return {.parameters = {}, .headers = KernelHeaders::torch}; }
  void prepare(const std::vector<Call>& calls) override { m_calls = calls.size(); }
  void call(std::size_t) override {
    if (m_launch) m_launch();
  }
  // Outputs are sampled as a kernel's are, since sampling takes time, too.
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t) const override {
    return {{m_arena.data(), looked_at_bytes}};
  }
  std::vector<std::vector<ResultValue>> collect() override {
    return std::vector<std::vector<ResultValue>>(m_calls);
  }
  void release() override {}

 private:
  static constexpr std::size_t looked_at_bytes = 4096;

  const Arena& m_arena;
  const std::function<void()> m_launch;
  std::size_t m_calls = 0;
};

}  // namespace

std::unique_ptr<Subject> make_noop_subject(const Arena& arena) {
  return std::make_unique<NoopSubject>(arena, nullptr);
}

std::unique_ptr<Subject> make_dirtying_noop_subject(const Arena& arena, std::size_t written_bytes) {
  const at::Tensor written = at::empty({static_cast<std::int64_t>(written_bytes)},
                                       at::TensorOptions(at::kByte).device(c10::kCUDA));
  return std::make_unique<NoopSubject>(arena, [written] { written.fill_(1); });
}

std::unique_ptr<Subject> make_empty_subject(const Arena& arena) {
  return std::make_unique<NoopSubject>(arena, [spin = CudaSpin()] { spin.run(0); });
}

}  // namespace robust_kbench

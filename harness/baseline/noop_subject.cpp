#include "baseline/noop_subject.hpp"

#include "device/gpu_facts.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

namespace robust_kbench {
namespace {

class NoopSubject final : public Subject {
 public:
  NoopSubject(const Arena& arena, bool dirtying) : m_arena(arena) {
    if (!dirtying) return;
    m_cache = at::empty({static_cast<std::int64_t>(gpu_facts().l2_bytes)},
                        at::TensorOptions(at::kByte).device(c10::kCUDA));
  }

  Loaded load(const Load&) override { return {.parameters = {}, .headers = KernelHeaders::torch}; }
  void prepare(const std::vector<Call>& calls) override { m_calls = calls.size(); }
  void call(std::size_t) override {
    if (m_cache.defined()) m_cache.fill_(1);
  }
  // The outputs are sampled as a kernel's are, since sampling takes time too.
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
  std::size_t m_calls = 0;
  at::Tensor m_cache;  // as large as the GPU's
};

}  // namespace

std::unique_ptr<Subject> make_noop_subject(const Arena& arena, bool dirtying) {
  return std::make_unique<NoopSubject>(arena, dirtying);
}

}  // namespace robust_kbench

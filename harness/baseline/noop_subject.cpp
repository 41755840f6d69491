#include "baseline/noop_subject.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

namespace robust_kbench {
namespace {

class NoopSubject final : public Subject {
 public:
  NoopSubject(const Arena& arena, std::size_t written_bytes) : m_arena(arena) {
    if (written_bytes == 0) return;
    m_written = at::empty({static_cast<std::int64_t>(written_bytes)},
                          at::TensorOptions(at::kByte).device(c10::kCUDA));
  }

  Loaded load(const Load&) override { return {.parameters = {}, .headers = KernelHeaders::torch}; }
  void prepare(const std::vector<Call>& calls) override { m_calls = calls.size(); }
  void call(std::size_t) override {
    if (m_written.defined()) m_written.fill_(1);
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
  at::Tensor m_written;
};

}  // namespace

std::unique_ptr<Subject> make_noop_subject(const Arena& arena, std::size_t written_bytes) {
  return std::make_unique<NoopSubject>(arena, written_bytes);
}

}  // namespace robust_kbench

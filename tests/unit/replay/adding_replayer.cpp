// A replayer on the host: y = x + w, with x of shape (rows, n) and w of shape (n). The name of the
// "library" to be loaded selects what goes wrong.
#include <string>
#include <vector>

#include "ipc/arena.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {
namespace {

class AddingReplay : public Subject {
 public:
  explicit AddingReplay(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    m_script = load.library;
    return {};
  }

  void prepare(const std::vector<Call>& calls) override {
    m_calls.clear();
    for (const Call& call : calls) {
      const std::vector<TensorRef> tensors = tensors_of(call);
      TensorRef y = tensors.at(0);
      const auto* memory =
          static_cast<std::byte*>(arena_allocate(m_arena, elements_of(y) * sizeof(float)));
      y.offset = static_cast<std::uint64_t>(memory - m_arena.kernel_data());
      m_calls.push_back({tensors.at(0), tensors.at(1), y});
    }
  }

  void call(std::size_t index) override { add(m_calls.at(index)); }

  bool prepare_together() override { return false; }

  void run_together(bool with_calls) override {
    if (!with_calls) return;
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
      if (m_script == "does nothing together") continue;
      add(m_calls[i]);
      if (m_script == "is wrong together") data_of(m_calls[i].y)[0] += 1;
      if (m_script == "writes past its output")
        data_of(m_calls[i].y)[elements_of(m_calls[i].y)] = 1;
    }
  }

  std::vector<std::vector<ResultValue>> collect() override {
    std::vector<std::vector<ResultValue>> results;
    for (const Adding& call : m_calls) results.push_back({call.y});
    return results;
  }

  void release() override { m_calls.clear(); }

 private:
  struct Adding {
    TensorRef x;
    TensorRef w;
    TensorRef y;
  };

  static std::size_t elements_of(const TensorRef& tensor) {
    std::size_t elements = 1;
    for (const std::int64_t size : tensor.sizes) elements *= static_cast<std::size_t>(size);
    return elements;
  }
  [[nodiscard]] float* data_of(const TensorRef& tensor) const {
    return reinterpret_cast<float*>(m_arena.data() + tensor.offset);
  }
  void add(const Adding& call) const {
    for (std::size_t i = 0; i < elements_of(call.y); ++i) {
      data_of(call.y)[i] = data_of(call.x)[i] + data_of(call.w)[i % elements_of(call.w)];
    }
  }

  Arena& m_arena;
  std::string m_script;
  std::vector<Adding> m_calls;
};

}  // namespace
}  // namespace robust_kbench

int main() {
  robust_kbench::Arena arena = robust_kbench::Arena::attach(4);
  robust_kbench::AddingReplay subject(arena);
  return robust_kbench::serve(3, arena, subject);
}

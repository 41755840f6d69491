// Doubles its argument, as a kernel of the doubling task does. The name of the "library" that it
// loads tells its misbehaviour. As `baseline` it replaces torch's.

#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "../bench/doubling_baseline.hpp"
#include "ipc/arena.hpp"
#include "runner/allocate.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {
namespace {

class ScriptedKernel final : public Subject {
 public:
  explicit ScriptedKernel(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load& load) override {
    m_script = load.library;
    return {.parameters = {{.name = "x", .kind = 1}}, .headers = KernelHeaders::shim};
  }

  void prepare(const std::vector<Call>& calls) override { m_calls = calls; }

  void call(std::size_t index) override {
    constexpr std::string_view hangs = "hangs, see ";
    if (m_script == "dies") std::abort();
    if (m_script.starts_with(hangs)) {
      std::ofstream(m_script.substr(hangs.size())) << "in a call";
      for (;;) pause();
    }
    TensorRef y = std::get<TensorRef>(m_calls[index].arguments.at(0).value);
    const auto count = static_cast<std::size_t>(y.sizes[0]);
    const bool is_listed = count == 100 || count == 17 || count == 64;
    if (m_script == "refuses" || (m_script == "refuses other sizes" && !is_listed)) {
      throw SubjectError(Failure::exception, "only some sizes are supported");
    }
    const auto* x = reinterpret_cast<const float*>(m_arena.data() + y.offset);
    auto* to = static_cast<float*>(arena_allocate(m_arena, count * sizeof(float)));
    y.offset = *m_arena.offset_of(to, count * sizeof(float));
    const bool is_wrong = m_script == "is wrong" ||
                          (m_script == "is wrong at other sizes" && !is_listed) ||
                          (m_script == "is wrong when timed" && m_calls.size() > 1);
    for (std::size_t i = 0; i < count; ++i) to[i] = is_wrong ? 0.0F : 2.0F * x[i];
    m_outputs.push_back({y});
  }

  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    const auto& y = std::get<TensorRef>(m_outputs.at(index).front());
    return {{m_arena.data() + y.offset, static_cast<std::size_t>(y.sizes[0]) * sizeof(float)}};
  }

  std::vector<std::vector<ResultValue>> collect() override { return m_outputs; }
  void release() override { m_outputs.clear(); }

 private:
  Arena& m_arena;
  std::string m_script;
  std::vector<Call> m_calls;
  std::vector<std::vector<ResultValue>> m_outputs;
};

int run(std::string_view role) {
  Arena arena = Arena::attach(4);
  if (role == "baseline") {
    DoublingBaseline baseline(arena);
    return serve(3, arena, baseline);
  }
  ScriptedKernel kernel(arena);
  return serve(3, arena, kernel);
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run(argc > 1 ? argv[1] : "kernel");
}

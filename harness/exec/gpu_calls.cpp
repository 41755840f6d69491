#include "exec/gpu_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

template <typename Step>
auto without_gpu_error(const Step& step) {
  try {
    return step();
  } catch (const HarnessError& error) {
    std::fprintf(stderr, "the GPU's context is broken: %s\n", error.what());
    std::abort();
  }
}

}  // namespace

std::uint64_t GpuCalls::time(const std::function<void()>& call) {
  without_gpu_error([&] {
    m_sweep.run();
    m_stopwatch.start();
  });
  std::exception_ptr failure;
  try {
    call();
  } catch (...) {
    failure = std::current_exception();  // what it has started may still break the GPU
  }
  const std::uint64_t span_ns = without_gpu_error([&] { return m_stopwatch.stop(); });
  if (failure) std::rethrow_exception(failure);
  return span_ns;
}

}  // namespace robust_kbench

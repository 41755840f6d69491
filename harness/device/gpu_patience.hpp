#pragma once

#include <chrono>
#include <string_view>
#include <thread>

#include "core/error.hpp"

namespace robust_kbench {

// `work`, again and again while it throws that the GPU has no memory, all of which a kernel in
// another process may have for a while; after some seconds what it throws is thrown.
template <typename Work>
auto with_gpu_patience(const Work& work) {
  constexpr std::chrono::seconds patience{15};
  constexpr std::chrono::milliseconds pause{100};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    try {
      return work();
    } catch (const HarnessError& error) {
      const bool lacks =
          std::string_view(error.what()).find("out of memory") != std::string_view::npos;
      if (!lacks || std::chrono::steady_clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace robust_kbench

#pragma once

#include <functional>

namespace robust_kbench {

// A call that can be repeated.
struct RepeatableCall {
  std::function<void()> call;
  // Makes later calls run on another stream of the GPU. False if the subject cannot do so.
  std::function<bool(void* stream)> use_stream;
};

}  // namespace robust_kbench

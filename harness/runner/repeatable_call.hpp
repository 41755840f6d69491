#pragma once

#include <functional>

namespace robust_kbench {

// A call that can be repeated.
struct RepeatableCall {
  std::function<void()> call;
  // Makes the next calls run on another stream of the GPU; false where the subject cannot.
  std::function<bool(void* stream)> use_stream;
};

}  // namespace robust_kbench

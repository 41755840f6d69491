#pragma once

#include <algorithm>
#include <vector>

#include "filled_arena.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

// A batch whose calls have one output each.
class CallsFixture : public testing::Test {
 protected:
  // An output of `count` floats, the first `written` of which the call writes.
  void add_call(std::int64_t count, std::int64_t written) {
    const std::uint64_t offset = m_filled.allocate(static_cast<std::size_t>(count) * sizeof(float));
    std::fill_n(reinterpret_cast<float*>(m_filled.arena.data() + offset), written, 1.0F);
    m_calls.push_back({.outputs = {TensorRef{.offset = offset, .sizes = {count}, .strides = {1}}}});
  }

  FilledArena m_filled;
  std::vector<CallResult> m_calls;
};

}  // namespace robust_kbench

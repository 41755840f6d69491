#include "evaluate/tool_memory.hpp"

#include <future>
#include <optional>

#include "core/cancelled.hpp"
#include "device/gpu_memory_wait.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ToolMemory, IsSharedUntilNothingIsLeft) {
  ToolMemory memory;
  memory.set_bytes(300);
  const ToolMemory::Share first = memory.take(100, {});
  const ToolMemory::Share second = memory.take(200, {});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(memory.take(1, stop.get_token()), Cancelled);
}

TEST(ToolMemory, IsWaitedForUntilAnotherGivesItBack) {
  ToolMemory memory;
  memory.set_bytes(300);
  std::optional<ToolMemory::Share> first = memory.take(200, {});
  auto second = std::async(std::launch::async, [&] { return memory.take(200, {}) != nullptr; });
  first.reset();
  EXPECT_TRUE(second.get());
}

TEST(ToolMemory, RefusesMoreThanThereIsInAll) {
  ToolMemory memory;
  memory.set_bytes(std::size_t{100} << 20);
  try {
    (void)memory.take(std::size_t{200} << 20, {});
    FAIL();
  } catch (const OutOfGpuMemory& error) {
    EXPECT_STREQ(error.what(), "it needs 200 MiB of GPU memory, and tests leave 100 MiB");
  }
}

}  // namespace
}  // namespace robust_kbench

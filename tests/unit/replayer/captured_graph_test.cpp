#include "runner/captured_graph.hpp"

#include <dlfcn.h>
#include <stdexcept>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Graphs of the fake driver.
class CapturedGraphTest : public testing::Test {
 protected:
  void* add_fill() {
    void* node = nullptr;
    const driver_types::FillNode fill{.element_bytes = 4, .width = 8, .height = 1};
    graph_driver().add_fill(&node, graph.get(), nullptr, 0, &fill, nullptr);
    return node;
  }
  void add_nothing(void* after) {
    void* node = nullptr;
    graph_driver().add_nothing(&node, graph.get(), &after, after == nullptr ? 0 : 1);
  }

  void* const driver = dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_GLOBAL);
  CapturedGraph graph = [] {
    void* made = nullptr;
    graph_driver().create_graph(&made, 0);
    return CapturedGraph(made);
  }();
};

TEST_F(CapturedGraphTest, BeginsWithAFillWhereAllElseWaitsForIt) {
  EXPECT_THROW(begins_with_fill(graph), HarnessError) << "it has no work";
  add_nothing(add_fill());
  EXPECT_TRUE(begins_with_fill(graph));
  add_fill();
  EXPECT_TRUE(begins_with_fill(graph));
  add_nothing(nullptr);
  EXPECT_FALSE(begins_with_fill(graph));
}

TEST_F(CapturedGraphTest, LeavesItsStreamUsableWhereWorkFails) {
  int place = 0;
  void* const stream = &place;
  EXPECT_THROW(capture_graph(stream, [] { throw std::runtime_error("no work"); }),
               std::runtime_error);
  EXPECT_NE(capture_graph(stream, [] {}).get(), nullptr);
}

}  // namespace
}  // namespace robust_kbench

#include "core/kernel_source_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

KernelSource whole_kernel() {
  return {.entry = {"softmax", Direction::backward},
          .name = "fused",
          .device = Device::cuda,
          .sources = {"/k/fused.cu", "/k/more.cu"},
          .include_directories = {"/k/include"},
          .definitions = {"TILE=8"},
          .options = {"-O2"},
          .libraries = {"-lcublas"},
          .fast_math = false,
          .coverage = Coverage::quick,
          .headers = KernelHeaders::torch,
          .allowed = {Capability::clocks},
          .entry_point = "fused_backward",
          .named_in = "/k",
          .record = "/b/fused.json",
          .library = "/b/fused.so",
          .solution = SolutionRecord{.problem = "/p.py", .file = "/s.py", .glue = "adds"}};
}

TEST(KernelSourceJson, HasEveryFieldOfAKernel) {
  const nlohmann::json usual = KernelSource{};
  const nlohmann::json whole = whole_kernel();
  for (const auto& [name, value] : usual.items()) EXPECT_NE(whole.at(name), value) << name;
  EXPECT_EQ(nlohmann::json(whole.get<KernelSource>()), whole);
}

TEST(KernelSourceJson, LacksInAManifestWhatCMakeDoesNotKnow) {
  nlohmann::json json = whole_kernel();
  json.erase("named_in");
  json.erase("solution");
  const auto kernel = json.get<KernelSource>();
  EXPECT_EQ(kernel.named_in, "");
  EXPECT_FALSE(kernel.solution);
  EXPECT_EQ(kernel.library, "/b/fused.so");
}

}  // namespace
}  // namespace robust_kbench

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "core/manifest.hpp"
#include "device/cuda_driver.hpp"
#include "evaluate/build.hpp"
#include "trial/trial.hpp"
#include "trial/trials_main.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// What evolutions refuse by default although these kernels are honest.
Capabilities needed_by(const std::string& name) {
  if (name == "honest/waits_for_its_child") return {Capability::system_calls};
  if (name == "honest/cuda/calls_torch_on_a_side_stream") return {Capability::clocks};
  if (name == "honest/cuda/launches_from_its_own_thread") return {Capability::threads};
  return {};
}

void expect_nothing_refused(const BuildRecord& build, Device device, const Capabilities& needed) {
  const std::vector<std::string> allowed = names_in_list(needed);
  EXPECT_EQ(capability_refusal(build.uses, refused_beyond(device, allowed)), "");
}

void expect_pass(const Trial& trial) {
  SCOPED_TRACE(command_of_this_test());
  const KernelRecord record = try_kernel(trial);
  expect_nothing_refused(record.build, record.device, needed_by(trial.name));
  EXPECT_EQ(record.build.headers, KernelHeaders::shim) << "it compiles in seconds over no other";
  if (record.judgement.verdict == Verdict::skipped) GTEST_SKIP() << record.judgement.reason;
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
  EXPECT_EQ(to_string(record.judgement.cheat_class), "none");
}

// Ways to synchronise that a sanitizer may know little of.
bool synchronises(const std::string& source) {
  static const std::set<std::string> sources{
      "cuda/copies_asynchronously",      "cuda/copies_in_bulk",
      "cuda/launches_dependent_kernels", "cuda/pipelines_by_mbarriers",
      "cuda/shares_memory_in_a_cluster", "cuda/synchronises_by_named_barriers",
      "cuda/synchronises_its_grid"};
  return sources.contains(source);
}

class NotAccused : public testing::Test {
 public:
  explicit NotAccused(std::string source) : m_source(std::move(source)) {}

  void TestBody() override { expect_pass({.name = "honest/" + m_source, .sanitize = true}); }

 private:
  std::string m_source;
};

class Accepted : public testing::Test {
 public:
  explicit Accepted(std::string source) : m_source(std::move(source)) {}

  void TestBody() override {
    const bool backward = m_source.find("returns_") != std::string::npos;
    expect_pass({.name = "honest/" + m_source,
                 .direction = backward ? Direction::backward : Direction::forward});
  }

 private:
  std::string m_source;
};

// The bytes to which a kernel's inputs must be aligned, as its sequence measured.
std::optional<int> alignment_of(const std::string& source) {
  const KernelRecord record = try_kernel({.name = "honest/" + source});
  EXPECT_TRUE(record.judgement.passes() || record.judgement.verdict == Verdict::skipped)
      << record.judgement.reason;
  return record.cases.empty() ? std::nullopt : record.cases.back().needs_alignment;
}

TEST(Alignment, IsMeasuredWhereAKernelFaultsOrErrsWithoutIt) {
  EXPECT_EQ(alignment_of("needs_aligned_vectors"), 16);
  EXPECT_EQ(alignment_of("needs_aligned_blocks"), 32);
  EXPECT_EQ(alignment_of("temporaries"), std::nullopt);
}

TEST(cuda_Alignment, IsMeasuredWhereAKernelFaultsWithoutIt) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  EXPECT_EQ(alignment_of("cuda/needs_aligned_vectors"), 16);
}

// Each needs what its list says, and would be refused without.
TEST(Honest, kernels_that_need_what_is_refused) {
  for (const char* name : {"honest/waits_for_its_child", "honest/cuda/launches_from_its_own_thread",
                           "honest/cuda/calls_torch_on_a_side_stream"}) {
    const KernelRecord record = try_kernel({.name = name, .refuse = true});
    if (record.judgement.verdict == Verdict::skipped) continue;  // there is no nvcc
    EXPECT_EQ(to_string(record.judgement.verdict), "load_error") << name;
  }
}

TEST(Honest, shipped_kernels_ask_for_nothing_that_is_refused) {
  for (const KernelSource& kernel : load_manifest(RKB_MANIFEST).kernels) {
    if (!std::filesystem::exists(kernel.record)) continue;  // it is not built here
    SCOPED_TRACE(kernel.entry.name() + " " + kernel.name);
    expect_nothing_refused(load_build_record(kernel), kernel.device, kernel.allowed);
  }
}

TEST(Honest, several_sources) {
  expect_pass({.name = "honest/several_sources"});
}

TEST(Honest, include_directory) {
  expect_pass({.name = "honest/include_directory"});
}

// Every source right here is a kernel, so a new one needs no mention.
void register_kernels() {
  for (const std::string& source : kernels_in(HONEST_DIRECTORY)) {
    testing::RegisterTest(suite_of(source, "Honest").c_str(), source.c_str(), nullptr, nullptr,
                          __FILE__, __LINE__,
                          [source]() -> testing::Test* { return new Accepted(source); });
    if (!synchronises(source)) continue;
    testing::RegisterTest("UnderSanitizers", source.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [source]() -> testing::Test* { return new NotAccused(source); });
  }
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::trials_main(argc, argv, robust_kbench::register_kernels);
}

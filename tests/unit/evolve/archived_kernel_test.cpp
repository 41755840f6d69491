#include "evolve/archived_kernel.hpp"

#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

const Entry archived_entry{"adding", Direction::forward};

Manifest manifest_with(const std::vector<KernelSource>& kernels) {
  return {.path = {},
          .toolchain = {},
          .tasks = {{.name = "adding", .directory = "/suite/tasks/adding", .fast_math = false}},
          .kernels = kernels};
}

TEST(ArchivedKernel, IsCompiledAsTheRegisteredOnes) {
  const KernelSource registered{.entry = archived_entry,
                                .name = "fast",
                                .sources = {"/suite/kernels/adding/forward/fast.cpp"},
                                .include_directories = {"/include"},
                                .options = {"-O1"},
                                .record = "/build/fast.json",
                                .library = "/build/fast.so"};
  const KernelSource kernel =
      further_kernel(manifest_with({registered}), archived_entry, Device::cpu);
  EXPECT_THAT(kernel.options, ElementsAre("-O1"));
  EXPECT_THAT(kernel.include_directories, ElementsAre("/include", "/suite/kernels/adding/forward"));
  EXPECT_EQ(kernel.record + kernel.library + kernel.name, "");
}

TEST(ArchivedKernel, IsCalledAsItsOwnTextSays) {
  KernelSource kernel{.entry = archived_entry, .sources = {"linear.cpp"}, .entry_point = "linear"};
  forget_missing_entry_point(kernel, "at::Tensor linear(at::Tensor x) { return x; }");
  EXPECT_EQ(kernel.entry_point, "linear");
  EXPECT_EQ(further_kernel(manifest_with({kernel}), archived_entry, Device::cpu).entry_point, "");
  forget_missing_entry_point(kernel, "PYBIND11_MODULE(a, m) { m.def(\"forward\", &linear); }");
  EXPECT_EQ(kernel.entry_point, "");
}

TEST(ArchivedKernel, IsCompiledAsItsTaskSaysWhereThereIsNone) {
  const KernelSource kernel = further_kernel(manifest_with({}), archived_entry, Device::cuda);
  EXPECT_FALSE(kernel.fast_math);
  EXPECT_EQ(kernel.device, Device::cuda);
  EXPECT_THAT(kernel.include_directories, ElementsAre("/suite/kernels/adding/forward"));
}

TEST(ArchivedKernel, HasTheSourceOfItsProposal) {
  const TemporaryDirectory directory("archived_kernel");
  Archive archive(directory.path() / "archive", Archive::Mode::create);
  const RunRow run = archive.begin_run(archived_entry, Device::cpu, 1, nlohmann::json::object());
  const ProposalRow proposal{.id = 1, .run = run.id, .source_hash = archive.put_content("int x;")};
  const std::filesystem::path file = directory.path() / "winner.cpp";
  const KernelSource kernel = archived_kernel(manifest_with({}), archive, run, proposal, file);
  EXPECT_EQ(kernel.name, "winner");
  EXPECT_THAT(kernel.sources, ElementsAre(file.string()));
  EXPECT_EQ(read_text(file), "int x;");
}

TEST(ArchivedKernel, IsCompiledAsTheStartOfItsRun) {
  const TemporaryDirectory directory("archived_kernel");
  Archive archive(directory.path() / "archive", Archive::Mode::create);
  const RunRow run = archive.begin_run(archived_entry, Device::cpu, 1, nlohmann::json::object());
  const std::string text = archive.put_content("int x;");
  archive.save({.id = 1, .run = run.id, .proposer = "seed", .strategy = "second"});
  archive.save({.id = 2, .run = run.id, .proposer = "seed", .strategy = "plain"});
  archive.save({.id = 3, .run = run.id, .parents = {1}, .source_hash = text});
  archive.save({.id = 4, .run = run.id, .parents = {3}, .source_hash = text});
  archive.save({.id = 5, .run = run.id, .parents = {2}, .source_hash = text});
  const Manifest manifest =
      manifest_with({{.entry = archived_entry, .name = "first", .sources = {"/k/first.cpp"}},
                     {.entry = archived_entry,
                      .name = "second",
                      .sources = {"/k/second.cpp", "/k/helper.cpp"},
                      .definitions = {"FAST=1"}}});
  const std::filesystem::path file = directory.path() / "winner.cpp";
  const auto kernel = [&](std::int64_t id) {
    return archived_kernel(manifest, archive, run, archive.proposal(run.id, id), file);
  };
  EXPECT_THAT(kernel(4).sources, ElementsAre(file.string(), "/k/helper.cpp"));
  EXPECT_THAT(kernel(4).definitions, ElementsAre("FAST=1"));
  EXPECT_THAT(kernel(5).sources, ElementsAre(file.string()));
  EXPECT_TRUE(kernel(5).definitions.empty());
}

}  // namespace
}  // namespace robust_kbench

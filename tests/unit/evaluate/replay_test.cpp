#include "evaluate/replay.hpp"

#include <filesystem>

#include "core/own_config.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Replay, NamesAKernelOfTheBuild) {
  const KernelSource kernel{.entry = {"layernorm", Direction::backward},
                            .name = "two_pass",
                            .sources = {"/kernels/two_pass.cpp"},
                            .definitions = {"WIDTH=4"},
                            .record = "/build/two_pass.json"};
  EXPECT_EQ(replay_command(kernel, {}),
            "rkb test --task layernorm --direction backward --kernel two_pass");
}

TEST(Replay, CompilesASourceFileAsItWas) {
  const KernelSource kernel{.entry = {"layernorm", Direction::forward},
                            .name = "mine",
                            .sources = {"/my kernels/mine.cu", "/more.cu"},
                            .include_directories = {"/include", "/it's here"},
                            .definitions = {"WIDTH=4"},
                            .options = {"-funroll-loops"},
                            .libraries = {"-lcublas"},
                            .headers = KernelHeaders::torch,
                            .entry_point = "mine::linear"};
  EXPECT_EQ(replay_command(kernel, {}),
            "rkb test --task layernorm --direction forward --kernel '/my kernels/mine.cu' "
            "--source=/more.cu --headers=torch --entry=mine::linear --include=/include "
            "'--include=/it'\\''s here' "
            "--define=WIDTH=4 --option=-funroll-loops --library=-lcublas");
}

TEST(Replay, NamesFilesFromAnyDirectory) {
  const KernelSource kernel{.entry = {"layernorm", Direction::forward},
                            .name = "mine",
                            .sources = {"/k/mine.cpp", "more.cpp"},
                            .include_directories = {"headers"},
                            .libraries = {"lib/own.a", "-lm"}};
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(replay_command(kernel, {}),
            "rkb test --task layernorm --direction forward --kernel /k/mine.cpp --source=" + here +
                "/more.cpp --include=" + here + "/headers --library=" + here +
                "/lib/own.a --library=-lm");
}

TEST(Replay, NamesTheCopyOfAnImportedTask) {
  KernelSource kernel{.entry = {"mine", Direction::forward}, .name = "k", .sources = {"/k.cpp"}};
  const Task task{.name = "mine", .package = "/cache/1f/package.task.json"};
  EXPECT_EQ(replay_command(kernel, task),
            "rkb test --task /cache/1f/package.task.json --direction forward --kernel /k.cpp");
  kernel.record = "/build/k.json";
  EXPECT_EQ(replay_command(kernel, task), "rkb test --task mine --direction forward --kernel k");
}

TEST(Replay, GivesAPersonsConfigsAgain) {
  const KernelSource kernel{
      .entry = {"layernorm", Direction::forward}, .name = "mine", .sources = {"/mine.cpp"}};
  const Task task{.name = "layernorm",
                  .defaults = {{"batch_size", std::int64_t{16}}, {"init", std::string("normal")}}};
  const std::vector<Config> own =
      own_configs({"batch_size=3,init=my own", "batch_size=16"}, task.defaults, {});
  EXPECT_EQ(replay_command(kernel, task, own),
            "rkb test --task layernorm --direction forward --kernel /mine.cpp "
            "'--config=batch_size=3,init=my own' --config=batch_size=16");
}

}  // namespace
}  // namespace robust_kbench

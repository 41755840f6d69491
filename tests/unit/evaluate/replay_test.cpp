#include "evaluate/replay.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Replay, NamesAKernelOfTheBuild) {
  const KernelSource kernel{.entry = {"layernorm", Direction::backward},
                            .name = "two_pass",
                            .sources = {"/kernels/two_pass.cpp"},
                            .definitions = {"WIDTH=4"},
                            .record = "/build/two_pass.json"};
  EXPECT_EQ(replay_command(kernel),
            "rkb test --task layernorm --direction backward --kernel two_pass");
}

TEST(Replay, CompilesASourceFileAsItWas) {
  const KernelSource kernel{.entry = {"layernorm", Direction::forward},
                            .name = "mine",
                            .sources = {"/my kernels/mine.cu", "/more.cu"},
                            .include_directories = {"/include", "it's here"},
                            .definitions = {"WIDTH=4"},
                            .options = {"-funroll-loops"},
                            .libraries = {"-lcublas"},
                            .headers = KernelHeaders::torch};
  EXPECT_EQ(replay_command(kernel),
            "rkb test --task layernorm --direction forward --kernel '/my kernels/mine.cu' "
            "--source=/more.cu --headers=torch --include=/include '--include=it'\\''s here' "
            "--define=WIDTH=4 --option=-funroll-loops --library=-lcublas");
}

}  // namespace
}  // namespace robust_kbench

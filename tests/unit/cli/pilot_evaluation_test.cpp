#include "cli/pilot_evaluation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

TEST(PilotEvaluation, GivesPilotsTheWordsThatAreNotAboutThisMachine) {
  EXPECT_THAT(words_for_pilots({"--manifest",
                                "/build/manifest.json",
                                "evaluate",
                                "--task",
                                "evaluate",
                                "--workers",
                                "slurm",
                                "--run-directory=/shared/run",
                                "--sbatch=--gpus=1",
                                "--pilot-option=--slots=2",
                                "--json",
                                "a.json",
                                "--csv=-",
                                "--jobs=3",
                                "--quiet",
                                "a.cu",
                                "--against",
                                "a.cu",
                                "--option=-g",
                                "--require-replay",
                                "a.cu",
                                "b.cu"},
                               {"a.cu", "b.cu"}),
              ElementsAre("--task", "evaluate", "a.cu", "--against", "a.cu", "--option=-g",
                          "--require-replay"));
}

}  // namespace
}  // namespace robust_kbench

#include "evolve/adopt.hpp"

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const Entry entry{"adding", Direction::forward};

// A run whose winner, 3, comes from the seed `shipped`. Evaluations say what the test wants.
class AdoptTest : public testing::Test {
 protected:
  AdoptTest() {
    fs::create_directories(m_home);
    m_manifest.tasks = {{.name = "adding", .directory = m_directory.path() / "tasks/adding"}};
    m_manifest.kernels = {{.entry = entry, .name = "shipped", .sources = {m_home / "shipped.cpp"}}};
    m_record.judgement = passed();
    m_record.mean_speedups = {{.against = "shipped", .ratio = 1.5, .ci_low = 1.4, .ci_high = 1.6}};
    save({.id = 1, .outcome = ProposalOutcome::seed, .proposer = "seed", .strategy = "shipped"});
    save({.id = 2, .outcome = ProposalOutcome::refused, .reason_class = "slower", .parents = {1}});
    save({.id = 3, .outcome = ProposalOutcome::accepted, .parents = {1}});
    save({.id = 4,
          .outcome = ProposalOutcome::specialised,
          .reason = "slow elsewhere",
          .parents = {3}});
    m_run.winner = 3;
    m_archive.update_run(m_run);
  }

  void save(ProposalRow row) {
    row.run = m_run.id;
    row.source_hash = m_archive.put_content("source of " + std::to_string(row.id));
    m_archive.save(row);
  }

  Adopted adopted(const AdoptOptions& options = {}) {
    const Evaluates evaluates = [this](const KernelSource& kernel, const Request& request) {
      m_evaluated = read_text(kernel.sources.front()).value_or("");
      m_rivals.clear();
      for (const auto& [name, rival] : request.rivals) m_rivals.push_back(name);
      return m_record;
    };
    return adopt(m_manifest, evaluates, m_archive, m_run.id, options);
  }

  // The error of the adoption; "none" where the kernel is adopted.
  std::string error(const AdoptOptions& options = {}) {
    try {
      adopted(options);
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& file : fs::directory_iterator(m_home)) all.push_back(file.path().filename());
    return all;
  }

  const TemporaryDirectory m_directory{"adopt_test"};
  const fs::path m_home = m_directory.path() / "kernels/adding/forward";
  Manifest m_manifest;
  Archive m_archive{m_directory.path() / "archive", Archive::Mode::create};
  RunRow m_run = m_archive.begin_run(entry, Device::cpu, 1, nlohmann::json::object());
  KernelRecord m_record;  // of any evaluation
  std::string m_evaluated;
  std::vector<std::string> m_rivals;
};

TEST_F(AdoptTest, WritesTheWinnerBesideTheKernelsThatItBeats) {
  const Adopted winner = adopted();
  EXPECT_EQ(winner.file, m_home / "evolved_1.cpp");
  EXPECT_EQ(read_text(winner.file), "source of 3");
  EXPECT_EQ(m_evaluated, "source of 3");
  EXPECT_THAT(m_rivals, ElementsAre("shipped"));
  EXPECT_THAT(winner.speedups, AllOf(HasSubstr("1.5"), HasSubstr("over shipped")));
  EXPECT_EQ(adopted().file, m_home / "evolved_2.cpp");
}

TEST_F(AdoptTest, BelievesNoRecordThatAKernelIsRight) {
  m_record.judgement = wrong_result("not close");
  EXPECT_THAT(error(), AllOf(HasSubstr("is rejected"), HasSubstr("not close")));
  EXPECT_THAT(error({.anyway = true}), HasSubstr("is rejected"));
  EXPECT_TRUE(files().empty());
}

TEST_F(AdoptTest, WantsItCertainlyFasterThanEachRegisteredKernel) {
  m_record.mean_speedups.front().ci_low = 0.99;
  EXPECT_THAT(error(), AllOf(HasSubstr("not certainly faster"), HasSubstr("--anyway")));
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(error({.anyway = true}), "none");
}

TEST_F(AdoptTest, WantsToBeToldToTakeWhatTheRunDidNot) {
  EXPECT_THAT(error({.proposal = 2}), AllOf(HasSubstr("slower"), HasSubstr("--anyway")));
  EXPECT_EQ(error({.proposal = 2, .anyway = true}), "none");
  EXPECT_THAT(error({.proposal = 4}),
              AllOf(HasSubstr("slow elsewhere"), HasSubstr("--specialised")));
  EXPECT_EQ(error({.proposal = 4, .specialised = true}), "none");
  m_run.winner = 0;
  m_archive.update_run(m_run);
  EXPECT_THAT(error(), HasSubstr("has no winner; name one of its proposals"));
}

TEST_F(AdoptTest, OverwritesNoKernel) {
  std::ofstream(m_home / "mine.cpp") << "mine";
  EXPECT_THAT(error({.name = "mine"}), AllOf(HasSubstr("mine.cpp exists"), HasSubstr("--name")));
  EXPECT_EQ(read_text(m_home / "mine.cpp"), "mine");
}

TEST_F(AdoptTest, RefusesWhatAFolderOfKernelsCannotSay) {
  KernelSource& shipped = m_manifest.kernels.front();
  shipped.sources.emplace_back("/k/helper.cpp");
  EXPECT_THAT(error(), HasSubstr("evolved_1.cpp /k/helper.cpp)"));
  shipped.sources.pop_back();
  shipped.definitions = {"FAST=1", "WIDE"};
  EXPECT_THAT(error(), AllOf(HasSubstr("robust_kbench_add_kernel(TASK adding DIRECTION forward"),
                             HasSubstr("evolved_1.cpp DEFINITIONS FAST=1 WIDE)")));
  shipped.definitions.clear();
  shipped.options = {"-O1"};
  EXPECT_THAT(error(), HasSubstr("OPTIONS -O1)"));
  shipped.options.clear();
  shipped.libraries = {"-lm"};
  EXPECT_THAT(error(), HasSubstr("LIBRARIES -lm)"));
  shipped.libraries.clear();
  shipped.include_directories = {"/k/include"};
  EXPECT_THAT(error({.anyway = true}), HasSubstr("INCLUDE_DIRECTORIES /k/include)"));
  EXPECT_EQ(m_evaluated, "");
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace robust_kbench

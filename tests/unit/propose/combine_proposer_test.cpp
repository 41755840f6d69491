#include "propose/combine_proposer.hpp"

#include "propose/lineage.hpp"
#include "proposed.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The kernels of a run whose first parent has the text "a\nb\nc\n" and takes the time 1.
class CombineProposerTest : public testing::Test {
 protected:
  CombineProposerTest() {
    const Candidate first{.id = 1, .name = "plain", .text = "a\nb\nc\n"};
    m_lineage.begin({first}, first);
  }
  void accept(std::int64_t id, const std::string& text, double cost,
              std::vector<std::int64_t> parents = {1}) {
    m_lineage.accept({.id = id,
                      .name = "edit " + std::to_string(id),
                      .text = text,
                      .parents = std::move(parents),
                      .cost = cost});
  }
  std::optional<Proposal> propose() {
    return proposed(
        m_proposer,
        {.parent = m_lineage.parent(), .context = {}, .missed = m_lineage.missed_gains()});
  }

  Lineage m_lineage;
  CombineProposer m_proposer;
};

TEST_F(CombineProposerTest, MakesTheOtherGainInTheFastestKernelAsWell) {
  accept(2, "A\nb\nc\n", 0.5);
  EXPECT_FALSE(propose());
  accept(3, "a\nb\nC\n", 0.8);
  const std::optional<Proposal> both = propose();
  ASSERT_TRUE(both);
  EXPECT_EQ(both->text, "A\nb\nC\n");
  EXPECT_EQ(both->strategy, "edit 2, and edit 3");
  EXPECT_EQ(both->further_parents, std::vector<std::int64_t>{3});
}

TEST_F(CombineProposerTest, TriesOneAfterAnotherAndEachOnceWithAParent) {
  accept(2, "A\nb\nc\n", 0.5);
  accept(3, "a\nB\nc\n", 0.8);
  accept(4, "a\nb\nC\n", 0.9);
  ASSERT_TRUE(propose());
  EXPECT_FALSE(propose());
  m_proposer.learn({});
  EXPECT_EQ(propose()->text, "A\nb\nC\n");
  m_proposer.learn({});
  EXPECT_FALSE(propose());
  accept(5, "A\nb\nC\n", 0.4, {2, 4});
  EXPECT_EQ(propose()->text, "A\nB\nC\n");
  m_proposer.learn({});
  EXPECT_FALSE(propose());
}

TEST_F(CombineProposerTest, TakesAllThatAChildOfTheOtherKernelHasGained) {
  accept(2, "A\nb\nc\n", 0.5);
  accept(3, "a\nB\nc\n", 0.8);
  accept(4, "a\nB\nC\n", 0.7, {3});
  ASSERT_EQ(propose()->text, "A\nB\nc\n");
  m_proposer.learn({});
  EXPECT_EQ(propose()->text, "A\nB\nC\n");
}

TEST_F(CombineProposerTest, LeavesOutWhatCollidesAndWhatTheConfirmationRefused) {
  accept(2, "A\nb\nc\n", 0.5);
  accept(3, "X\nb\nc\n", 0.8);
  EXPECT_FALSE(propose());
  accept(4, "a\nb\nC\n", 0.4);
  m_lineage.drop_parent();
  EXPECT_FALSE(propose());
}

}  // namespace
}  // namespace robust_kbench

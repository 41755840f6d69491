#include "archive/best_proposals.hpp"

#include "archive_directory.hpp"
#include "sample_archive.hpp"

namespace robust_kbench {
namespace {

class BestProposalsTest : public ArchiveDirectory {
 protected:
  // A run with one accepted proposal, which may have a time.
  static RunRow add_run(Archive& archive, const Entry& entry, std::optional<double> kernel_us,
                        double speedup, const std::string& gpu = "") {
    const Device device = gpu.empty() ? Device::cpu : Device::cuda;
    const RunRow run = archive.begin_run(entry, device, 1, nlohmann::json::object());
    ProposalRow seed{.id = 1, .run = run.id, .outcome = ProposalOutcome::seed};
    archive.save(seed);
    ProposalRow child{.id = 2, .run = run.id, .outcome = ProposalOutcome::accepted, .parents = {1}};
    child.speedup = speedup;
    child.gpu = gpu;
    if (kernel_us) {
      child.record_hash = put_record(archive, sample_record(Verdict::pass, *kernel_us));
    }
    archive.save(child);
    return run;
  }

  Archive m_archive{place(), Archive::Mode::create};
  const Entry m_layernorm{"layernorm", Direction::forward};
};

TEST_F(BestProposalsTest, ChoosesTheLeastTimeOverAllRuns) {
  fill_sample(m_archive);
  const RunRow faster = add_run(m_archive, m_layernorm, 9.0, 1.1);
  add_run(m_archive, m_layernorm, {}, 100);
  const std::vector<BestProposal> best = best_proposals(m_archive, "");
  ASSERT_EQ(best.size(), 1);
  EXPECT_EQ(best[0].run.id, faster.id);
  EXPECT_EQ(best[0].proposal.id, 2);
  EXPECT_DOUBLE_EQ(best[0].kernel_us.value(), 9);
  EXPECT_EQ(best[0].speedup, 1.1);
}

TEST_F(BestProposalsTest, TakesASpecialisedWinnerForAnAcceptedOne) {
  const RunRow run = add_run(m_archive, m_layernorm, 9.0, 1.1);
  ProposalRow winner = m_archive.proposal(run.id, 2);
  winner.outcome = ProposalOutcome::specialised;
  m_archive.save(winner);
  EXPECT_EQ(best_proposals(m_archive, "").size(), 1);
}

TEST_F(BestProposalsTest, ComparesSpeedupsWhereNothingWasTimed) {
  add_run(m_archive, m_layernorm, {}, 1.5);
  const RunRow faster = add_run(m_archive, m_layernorm, {}, 2);
  EXPECT_EQ(best_proposals(m_archive, "").at(0).run.id, faster.id);
}

TEST_F(BestProposalsTest, KeepsEntriesAndDevicesApart) {
  add_run(m_archive, m_layernorm, 1, 2);
  add_run(m_archive, {"layernorm", Direction::backward}, 1, 2);
  add_run(m_archive, m_layernorm, 1, 2, "H100");
  add_run(m_archive, m_layernorm, 1, 2, "H200");
  add_run(m_archive, {"softmax", Direction::forward}, 1, 2);
  EXPECT_EQ(best_proposals(m_archive, "").size(), 5);
  EXPECT_EQ(best_proposals(m_archive, "layernorm").size(), 4);
  EXPECT_TRUE(best_proposals(m_archive, "mnist_linear").empty());
}

}  // namespace
}  // namespace robust_kbench

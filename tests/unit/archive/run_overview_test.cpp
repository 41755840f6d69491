#include "archive/run_overview.hpp"

#include "archive/standing.hpp"
#include "archive_directory.hpp"
#include "sample_archive.hpp"

namespace robust_kbench {
namespace {

class RunOverviewTest : public ArchiveDirectory {};

TEST_F(RunOverviewTest, CountsProposalsByOutcome) {
  Archive archive(place(), Archive::Mode::create);
  const RunOverview overview = overview_of(archive, fill_sample(archive));
  EXPECT_EQ(overview.state, RunState::ended);
  EXPECT_EQ(overview.proposals, 6);
  EXPECT_EQ(overview.accepted, 2);
  EXPECT_EQ(overview.in_search, 3.0);
  EXPECT_EQ(overview.confirmed, std::nullopt);
}

TEST_F(RunOverviewTest, CallsARunInterruptedWhoseWriterIsGone) {
  std::optional<Archive> writer(std::in_place, place(), Archive::Mode::create);
  const RunRow run = writer->begin_run({"layernorm", Direction::forward}, Device::cpu, 1,
                                       nlohmann::json::object());
  const Archive reader(place(), Archive::Mode::read_only);
  EXPECT_EQ(overview_of(reader, reader.run(run.id)).state, RunState::running);
  writer.reset();
  EXPECT_EQ(overview_of(reader, reader.run(run.id)).state, RunState::interrupted);
  EXPECT_EQ(overview_of(reader, run).in_search, std::nullopt);
}

TEST_F(RunOverviewTest, CountsASpecialisedWinnerAsAccepted) {
  Archive archive(place(), Archive::Mode::create);
  RunRow run = fill_sample(archive);
  ProposalRow winner = archive.proposal(run.id, run.winner);
  winner.outcome = ProposalOutcome::specialised;
  archive.save(winner);
  run.summary["confirmed"] = {{"parent", {{"ratio", 2.75}}}};
  const RunOverview overview = overview_of(archive, run);
  EXPECT_EQ(overview.accepted, 2);
  EXPECT_EQ(overview.in_search, 3.0);
  EXPECT_EQ(overview.confirmed, 2.75);
  EXPECT_EQ(standing(run, winner), "accepted, winner, confirmed, specialised");
  run.summary.erase("confirmed");
  EXPECT_EQ(standing(run, winner), "accepted, winner, not confirmed, specialised");
  EXPECT_EQ(standing(run, archive.proposal(run.id, 2)), "accepted");
  EXPECT_EQ(standing(run, archive.proposal(run.id, 3)), "refused");
}

}  // namespace
}  // namespace robust_kbench

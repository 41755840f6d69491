#include "archive/run_overview.hpp"

#include "archive_directory.hpp"
#include "sample_archive.hpp"

namespace robust_kbench {
namespace {

class RunOverviewTest : public ArchiveDirectory {};

TEST_F(RunOverviewTest, CountsWhatBecameOfProposals) {
  Archive archive(place(), Archive::Mode::create);
  const RunOverview overview = overview_of(archive, fill_sample(archive));
  EXPECT_EQ(overview.state, "ended");
  EXPECT_EQ(overview.proposals, 6);
  EXPECT_EQ(overview.accepted, 2);
  EXPECT_EQ(overview.best_speedup, 3.0);
}

TEST_F(RunOverviewTest, CallsARunInterruptedWhoseWriterIsGone) {
  std::optional<Archive> writer(std::in_place, place(), Archive::Mode::create);
  const RunRow run = writer->begin_run({"layernorm", Direction::forward}, Device::cpu, 1,
                                       nlohmann::json::object());
  const Archive reader(place(), Archive::Mode::read_only);
  EXPECT_EQ(overview_of(reader, reader.run(run.id)).state, "running");
  writer.reset();
  EXPECT_EQ(overview_of(reader, reader.run(run.id)).state, "interrupted");
  EXPECT_EQ(overview_of(reader, run).best_speedup, std::nullopt);
}

}  // namespace
}  // namespace robust_kbench

#include "archive/archive.hpp"

#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const Entry layernorm{"layernorm", Direction::forward};

ProposalRow proposal_of(const RunRow& run, std::int64_t id) {
  ProposalRow row;
  row.id = id;
  row.run = run.id;
  row.generation = 2;
  row.sample = 3;
  row.stage = ProposalStage::raced;
  row.outcome = ProposalOutcome::accepted;
  row.reason = "faster, said the race: \"1.25\"\n\xc3\xa9";
  row.reason_class = "faster";
  row.parents = {1, 7};
  row.proposer = "transform";
  row.strategy = "simd reduction";
  row.source_hash = "source";
  row.token_hash = "token";
  row.object_hash = "object";
  row.settings = {{"tunables", {{"threads", 128}}}, {"options", {"-ffast-math"}}};
  row.seconds = {{"compiled", 0.1}, {"tested", 1.0 / 3}};
  row.speedup = 1.25;
  row.ci_low = 1.2;
  row.ci_high = 1.3;
  row.device = "AMD EPYC";
  row.gpu = "";
  row.toolkit = "g++ 12.2";
  row.record_hash = "record";
  row.created_at = "2026-11-25T13:02:00.123Z";
  return row;
}

class ArchiveTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] Archive created() const { return {place(), Archive::Mode::create}; }
  [[nodiscard]] Archive reader() const { return {place(), Archive::Mode::read_only}; }
  [[nodiscard]] std::vector<json> events() const {
    std::ifstream in(place() / "events.jsonl");
    std::vector<json> found;
    for (std::string line; std::getline(in, line);) found.push_back(json::parse(line));
    return found;
  }
};

TEST_F(ArchiveTest, GivesBackARunAsItWasWritten) {
  RunRow run;
  {
    Archive archive = created();
    const std::uint64_t seed = 0xffff'ffff'ffff'fff0;
    run = archive.begin_run(layernorm, Device::cpu, seed, {{"generations", 4}});
    EXPECT_EQ(run.id, "layernorm.forward.cpu.1");
    EXPECT_EQ(run.state, RunState::running);
    EXPECT_EQ(reader().run(run.id), run);
    run.state = RunState::ended;
    run.stop_reason = "plateau";
    run.winner = 4;
    run.summary = {{"confirmed", 1.5}};
    archive.update_run(run);
    run.ended_at = reader().run(run.id).ended_at;
    EXPECT_GE(run.ended_at, run.started_at);
    run.summary["generalised"] = true;
    archive.update_run(run);
    EXPECT_EQ(reader().run(run.id).ended_at, run.ended_at);
  }
  EXPECT_THAT(reader().runs(), ElementsAre(run));
}

TEST_F(ArchiveTest, NumbersTheRunsOfEachEntryAndDevice) {
  Archive archive = created();
  const auto begun = [&](const Entry& entry, Device device) {
    return archive.begin_run(entry, device, 0, json::object()).id;
  };
  EXPECT_EQ(begun(layernorm, Device::cpu), "layernorm.forward.cpu.1");
  EXPECT_EQ(begun(layernorm, Device::cuda), "layernorm.forward.cuda.1");
  EXPECT_EQ(begun({"layernorm", Direction::backward}, Device::cpu), "layernorm.backward.cpu.1");
  EXPECT_EQ(begun(layernorm, Device::cpu), "layernorm.forward.cpu.2");
}

TEST_F(ArchiveTest, GivesBackProposalsAsTheyWereSavedLast) {
  Archive archive = created();
  const RunRow run = archive.begin_run(layernorm, Device::cpu, 1, json::object());
  ProposalRow bare;
  bare.id = 1;
  bare.run = run.id;
  archive.save(bare);
  const ProposalRow full = proposal_of(run, 2);
  archive.save(full);
  bare.stage = ProposalStage::parsed;
  archive.save(bare);
  EXPECT_THAT(reader().proposals(run.id), ElementsAre(bare, full));
  EXPECT_EQ(reader().proposal(run.id, 2), full);
}

TEST_F(ArchiveTest, SavingAnEqualRowChangesNothing) {
  Archive archive = created();
  const RunRow run = archive.begin_run(layernorm, Device::cpu, 1, json::object());
  archive.save(proposal_of(run, 1));
  const std::size_t count = events().size();
  archive.save(proposal_of(run, 1));
  archive.update_run(run);
  EXPECT_EQ(events().size(), count);
}

TEST_F(ArchiveTest, KeepsATextOnceUnderItsHash) {
  Archive archive = created();
  const std::string hash = archive.put_content("abc");
  EXPECT_EQ(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(archive.put_content("abc"), hash);
  EXPECT_EQ(reader().content(hash), "abc");
  EXPECT_EQ(archive.content_path(hash), place() / "content/ba" / hash.substr(2));
  EXPECT_EQ(text_of(archive.content_path(hash)), "abc");
}

TEST_F(ArchiveTest, AnswersAnEffectOnceRecorded) {
  Archive archive = created();
  const RunRow run = archive.begin_run(layernorm, Device::cpu, 1, json::object());
  const json small{{"seconds", 0.125}};
  const json large{{"answer", std::string(100'000, 'x')}};
  EXPECT_EQ(archive.effect(run.id, "clock"), std::nullopt);
  archive.record_effect(run.id, "clock", small);
  archive.record_effect(run.id, "clock", small);
  archive.record_effect(run.id, "llm", large);
  EXPECT_EQ(reader().effect(run.id, "clock"), small);
  EXPECT_EQ(reader().effect(run.id, "llm"), large);
  EXPECT_THROW(archive.record_effect(run.id, "clock", large), HarnessError);
  EXPECT_EQ(reader().effect(run.id, "clock"), small);
}

TEST_F(ArchiveTest, WritesEventsForReaders) {
  Archive archive = created();
  RunRow run = archive.begin_run(layernorm, Device::cpu, 1, json::object());
  archive.save(proposal_of(run, 1));
  archive.event(run.id, {{"event", "generation"}, {"number", 3}});
  run.state = RunState::ended;
  archive.update_run(run);
  std::vector<std::string> names;
  for (const json& event : events()) {
    names.push_back(event.at("event"));
    EXPECT_EQ(event.at("run"), run.id);
    EXPECT_THAT(event.at("at").get<std::string>(), testing::MatchesRegex("....-..-..T.*Z"));
  }
  EXPECT_THAT(names, ElementsAre("run_started", "proposal", "generation", "run_changed"));
  EXPECT_EQ(events()[1].at("speedup"), 1.25);
}

TEST_F(ArchiveTest, NamesTheKnownRunsForAnUnknownOne) {
  Archive archive = created();
  (void)archive.begin_run(layernorm, Device::cpu, 1, json::object());
  try {
    (void)archive.proposals("softmax.forward.cpu.1");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "run 'softmax.forward.cpu.1' is not in the archive; known: "
                 "layernorm.forward.cpu.1");
  }
  EXPECT_THROW((void)archive.proposal("layernorm.forward.cpu.1", 3), UserError);
}

TEST_F(ArchiveTest, LetsReadersSeeARunThatIsWritten) {
  Archive archive = created();
  const RunRow run = archive.begin_run(layernorm, Device::cpu, 1, json::object());
  const Archive first = reader();
  const Archive second = reader();
  archive.save(proposal_of(run, 1));
  EXPECT_EQ(first.proposals(run.id).size(), 1);
  EXPECT_EQ(second.proposals(run.id).size(), 1);
}

}  // namespace
}  // namespace robust_kbench

#include "runs/pilots/pilot_backend.hpp"

#include <filesystem>
#include <future>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/manifest.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "evolve/evolution_plan.hpp"
#include "process/temporary_directory.hpp"
#include "runs/pilots/evaluation_work.hpp"
#include "runs/pilots/pilot_fleet.hpp"
#include "runs/pilots/pilot_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// Evaluates as a test says, in a pilot.
class ToldBackend : public EvaluationBackend {
 public:
  using Evaluate = std::function<Evaluation(EvaluationKind, const Candidate&,
                                            const std::map<std::string, const Candidate*>&)>;
  explicit ToldBackend(Evaluate evaluate) : m_evaluate(std::move(evaluate)) {}

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override {
    return m_evaluate(kind, candidate, rivals);
  }

 private:
  const Evaluate m_evaluate;
};

Evaluation passing(const Candidate& candidate) {
  Evaluation evaluation{.record = {.path = candidate.kernel.sources.front(),
                                   .name = candidate.name,
                                   .entry = candidate.kernel.entry}};
  evaluation.record.judgement = passed();
  evaluation.record.build.judgement = passed();
  return evaluation;
}

// A run directory with a coordinator, and pilots in threads that evaluate as `told` says.
class PilotBackendTest : public testing::Test {
 protected:
  struct RunningPilot {
    std::stop_source stop;
    std::future<PilotEnd> end;
  };

  RunningPilot& begin_pilot(const std::string& name, const std::string& model = "EPYC") {
    RunningPilot& pilot = m_pilots.emplace_back();
    pilot.end = std::async(std::launch::async, [this, name, model, stop = pilot.stop.get_token()] {
      EvaluationWork work(
          m_manifest, m_folder, 1,
          [&](const EvaluationSession& session, const LocalBackendOptions& options) {
            {
              const std::lock_guard lock(m_mutex);
              m_sessions.push_back(session);
            }
            return std::make_unique<ToldBackend>(
                [this, name, options](EvaluationKind kind, const Candidate& candidate,
                                      const std::map<std::string, const Candidate*>& rivals) {
                  {
                    const std::lock_guard lock(m_mutex);
                    m_seen.push_back(name + " " + to_string(kind) + " " + candidate.name);
                  }
                  if (candidate.name == "forever") {
                    while (!options.search.stop_requested() && !options.stop.stop_requested()) {
                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    }
                    throw Cancelled();
                  }
                  return told(candidate, rivals);
                });
          },
          stop);
      return run_pilot(m_folder, {.name = name, .model = model}, work,
                       {.lease_seconds = 2, .patience_seconds = 20}, stop);
    });
    return pilot;
  }

  std::unique_ptr<PilotBackend> backend(const std::stop_token& search = {}) {
    return std::make_unique<PilotBackend>(
        m_fleet.coordinator(),
        EvaluationSession{.request = {.task = "adding", .direction = "forward"},
                          .source_root = source_root(m_manifest)},
        PilotBackendOptions{.search = search, .model_of_run = [this](const std::string& now) {
                              return m_model.empty() ? now : m_model;
                            }});
  }

  static Candidate candidate(std::int64_t id, const std::string& name) {
    return {.id = id,
            .name = name,
            .text = "text of " + name,
            .hash = sha256(name),
            .kernel = {.entry = {"adding", Direction::forward},
                       .sources = {"/coordinator/archive/" + name + "/kernel.cpp"}}};
  }

  void end_pilots() {
    for (RunningPilot& pilot : m_pilots) {
      pilot.stop.request_stop();
      pilot.end.wait();
    }
  }
  void TearDown() override { end_pilots(); }

  const TemporaryDirectory m_directory{"pilot_backend"};
  const Manifest m_manifest = load_manifest(RKB_MANIFEST);
  const SharedFolder m_folder{m_directory.path() / "run"};
  PilotFleet m_fleet{
      {.options = {.workers = "own", .run_directory = m_folder.path(), .lease_seconds = 2}},
      "digest",
      {}};
  std::string m_model;
  std::mutex m_mutex;
  std::vector<std::string> m_seen;
  std::vector<EvaluationSession> m_sessions;
  std::function<Evaluation(const Candidate&, const std::map<std::string, const Candidate*>&)> told =
      [](const Candidate& candidate, const auto&) { return passing(candidate); };
  std::list<RunningPilot> m_pilots;
};

TEST_F(PilotBackendTest, GivesTheSameRecordAsHere) {
  told = [](const Candidate& candidate, const std::map<std::string, const Candidate*>& rivals) {
    Evaluation evaluation = passing(candidate);
    // A compiler names the file where the pilot has written it.
    const std::string file = candidate.kernel.sources.front();
    evaluation.record.judgement.reason = "In " + file + ": " + read_text(file).value_or("");
    evaluation.record.rivals.push_back({.name = "parent", .path = rivals.at("parent")->text});
    return evaluation;
  };
  begin_pilot("one");
  const auto pilots = backend();
  const Candidate parent = candidate(1, "old");
  const Evaluation evaluation =
      pilots->evaluate(EvaluationKind::race, candidate(2, "new"), {{"parent", &parent}});
  EXPECT_EQ(evaluation.record.path, "/coordinator/archive/new/kernel.cpp");
  EXPECT_EQ(evaluation.record.judgement.reason,
            "In /coordinator/archive/new/kernel.cpp: text of new");
  EXPECT_EQ(evaluation.record.rivals.at(0).path, "text of old");
  EXPECT_EQ(m_sessions.at(0).request.task, "adding");
}

TEST_F(PilotBackendTest, SpreadsCandidatesAndKeepsEachAtOnePilot) {
  told = [](const Candidate& candidate, const auto&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return passing(candidate);
  };
  begin_pilot("one");
  begin_pilot("two");
  const auto pilots = backend();
  std::vector<std::future<void>> all;
  for (int i = 1; i <= 2; ++i) {
    all.push_back(std::async(std::launch::async, [&pilots, i] {
      for (const EvaluationKind kind : {EvaluationKind::compile, EvaluationKind::screen,
                                        EvaluationKind::test, EvaluationKind::race}) {
        pilots->evaluate(kind, candidate(i, "kernel" + std::to_string(i)), {});
      }
    }));
  }
  for (auto& each : all) each.get();
  ASSERT_EQ(m_seen.size(), 8);
  for (const std::string name : {"kernel1", "kernel2"}) {
    std::set<std::string> homes;
    for (const std::string& seen : m_seen) {
      if (seen.ends_with(name)) homes.insert(seen.substr(0, 3));
    }
    EXPECT_EQ(homes.size(), 1) << name;
  }
}

TEST_F(PilotBackendTest, EvaluatesOnTheModelThatTheRunHasHad) {
  m_model = "H100";
  begin_pilot("a100", "A100");
  begin_pilot("h100", "H100");
  const auto pilots = backend();
  for (int i = 1; i <= 3; ++i) {
    pilots->evaluate(EvaluationKind::compile, candidate(i, std::to_string(i)), {});
  }
  for (const std::string& seen : m_seen) EXPECT_THAT(seen, StartsWith("h100 "));
}

TEST_F(PilotBackendTest, EndsTheSearchThereAndEvaluatesOtherThings) {
  std::stop_source search;
  begin_pilot("one");
  const auto pilots = backend(search.get_token());
  std::future<void> screened = std::async(std::launch::async, [&] {
    pilots->evaluate(EvaluationKind::screen, candidate(1, "forever"), {});
  });
  while (true) {
    const std::lock_guard lock(m_mutex);
    if (!m_seen.empty()) break;
  }
  search.request_stop();
  EXPECT_THROW(screened.get(), Cancelled);
  const auto confirmed = pilots->evaluate(EvaluationKind::confirm, candidate(2, "winner"), {});
  EXPECT_EQ(confirmed.record.name, "winner");
}

TEST_F(PilotBackendTest, GivesACandidateToAnotherPilotWhereOneIsEnded) {
  RunningPilot& ended = begin_pilot("ended");
  const auto pilots = backend();
  std::atomic<bool> first = true;
  std::promise<void> began;
  told = [&](const Candidate& candidate, const auto&) {
    if (first.exchange(false)) {
      began.set_value();
      while (!ended.stop.stop_requested()) std::this_thread::yield();
      throw Cancelled();
    }
    return passing(candidate);
  };
  std::future<Evaluation> test = std::async(std::launch::async, [&] {
    return pilots->evaluate(EvaluationKind::test, candidate(1, "kernel"), {});
  });
  began.get_future().wait();
  begin_pilot("other");
  ended.stop.request_stop();
  EXPECT_EQ(test.get().record.name, "kernel");
  EXPECT_EQ(ended.end.get().reason, "it was ended from outside");
  ended.end = std::async(std::launch::deferred, [] { return PilotEnd(); });
  EXPECT_THAT(m_seen, Contains("other test kernel"));
}

TEST_F(PilotBackendTest, EndsAPilotThatCanEvaluateNothing) {
  told = [](const Candidate&, const auto&) -> Evaluation { throw HarnessError("no GPU is left"); };
  RunningPilot& broken = begin_pilot("broken");
  const auto pilots = backend();
  EXPECT_THROW(pilots->evaluate(EvaluationKind::test, candidate(1, "kernel"), {}), HarnessError);
  const PilotEnd end = broken.end.get();
  EXPECT_EQ(end.why, PilotEnd::Why::failed);
  EXPECT_THAT(end.reason, HasSubstr("3 evaluations in a row have failed here"));
  EXPECT_THAT(end.reason, HasSubstr("no GPU is left"));
  broken.end = std::async(std::launch::deferred, [] { return PilotEnd(); });
}

TEST_F(PilotBackendTest, WaitsForAPilotUntilNobodyWantsIt) {
  std::stop_source stop;
  std::future<void> waiting = std::async(std::launch::async, [&] {
    const PilotBackend pilots(m_fleet.coordinator(), EvaluationSession(),
                              {.stop = stop.get_token(), .model_of_run = {}});
  });
  stop.request_stop();
  EXPECT_THROW(waiting.get(), Cancelled);
}

}  // namespace
}  // namespace robust_kbench

#include "evolve/process_backend.hpp"

#include <future>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evolve/sharded_backend.hpp"
#include "scripted_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

Candidate candidate(std::int64_t id, const std::string& text) {
  return {.id = id,
          .name = text,
          .text = text,
          .hash = text,
          .kernel = {.entry = {"adding", Direction::backward}, .sources = {"/seeds/k.cpp"}}};
}

TEST(ProcessBackend, EvaluatesAsItsBackendDoes) {
  ProcessBackend process({SCRIPTED_EVALUATIONS}, {}, {});
  ScriptedBackend here;
  const Candidate child = candidate(2, "takes 50");
  const Candidate parent = candidate(1, "takes 100");
  for (const EvaluationKind kind : {EvaluationKind::compile, EvaluationKind::race}) {
    const nlohmann::json expected = here.evaluate(kind, child, {{"parent", &parent}});
    EXPECT_EQ(nlohmann::json(process.evaluate(kind, child, {{"parent", &parent}})), expected);
  }
}

TEST(ProcessBackend, AnswersSeveralThreads) {
  ProcessBackend process({SCRIPTED_EVALUATIONS}, {}, {});
  std::vector<std::future<std::string>> names;
  for (int i = 0; i < 8; ++i) {
    names.push_back(std::async(std::launch::async, [&process, i] {
      const Candidate child = candidate(i, "takes " + std::to_string(i));
      return process.evaluate(EvaluationKind::test, child, {}).record.name;
    }));
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(names[static_cast<std::size_t>(i)].get(), "takes " + std::to_string(i));
  }
}

TEST(ProcessBackend, SaysThatItHasEnded) {
  ProcessBackend process({SCRIPTED_EVALUATIONS}, {}, {});
  EXPECT_THROW(process.evaluate(EvaluationKind::test, candidate(1, "ends its backend"), {}),
               HarnessError);
  EXPECT_THROW(process.evaluate(EvaluationKind::test, candidate(2, "takes 1"), {}), HarnessError);
}

TEST(ProcessBackend, SaysWhatItHasWrittenInPlaceOfAnswers) {
  const auto failure_of = [](const std::string& line) -> std::string {
    ProcessBackend process({"/bin/sh", "-c", "echo '" + line + "'; cat > /dev/null"}, {}, {});
    try {
      process.evaluate(EvaluationKind::test, candidate(1, "takes 1"), {});
    } catch (const HarnessError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(failure_of("Traceback:"), HasSubstr("has written no JSON object: \"Traceback:\""));
  EXPECT_THAT(failure_of("{}"), HasSubstr("has written what answers no request"));
}

TEST(ProcessBackend, EndsWithItsStopToken) {
  std::stop_source stop;
  // Reads what it is asked until nobody asks, and answers nothing.
  ProcessBackend process({"/bin/sh", "-c", "cat > /dev/null"}, {}, stop.get_token());
  stop.request_stop();
  EXPECT_THROW(process.evaluate(EvaluationKind::test, candidate(1, "takes 1"), {}), Cancelled);
}

TEST(ProcessBackend, EndsTheSearchThereAndEvaluatesOtherThings) {
  std::stop_source search;
  ProcessBackend process({SCRIPTED_EVALUATIONS}, {}, {}, search.get_token());
  std::future<void> screened = std::async(std::launch::async, [&] {
    process.evaluate(EvaluationKind::screen, candidate(1, "takes forever"), {});
  });
  search.request_stop();
  EXPECT_THROW(screened.get(), Cancelled);
  EXPECT_TRUE(process.evaluate(EvaluationKind::confirm, candidate(2, "takes 1"), {})
                  .record.judgement.passes());
}

TEST(ShardedBackend, EvaluatesACandidateInOnePlace) {
  std::vector<std::unique_ptr<EvaluationBackend>> two;
  std::vector<ScriptedBackend*> seen;
  for (int i = 0; i < 2; ++i) {
    auto backend = std::make_unique<ScriptedBackend>();
    seen.push_back(backend.get());
    two.push_back(std::move(backend));
  }
  ShardedBackend both(std::move(two));
  for (const std::int64_t id : {1, 3, 3, 2}) {
    both.evaluate(EvaluationKind::test, candidate(id, "takes 1"), {});
  }
  EXPECT_EQ(seen[0]->calls, 1);
  EXPECT_EQ(seen[1]->calls, 3);
}

}  // namespace
}  // namespace robust_kbench

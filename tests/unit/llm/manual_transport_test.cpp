#include "llm/manual_transport.hpp"

#include <fstream>

#include "archive_directory.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A gate that no unpaid transport may ask.
class NoGate : public AttemptGate {
 public:
  bool grant(const std::string& /*host*/, const Reservation& /*reservation*/) override {
    ADD_FAILURE();
    return false;
  }
  void ended(const AttemptEnd& /*end*/) override { ADD_FAILURE(); }
};

class ManualTransportTest : public ArchiveDirectory {
 protected:
  const Question m_question{.call = "verify/3/memory",
                            .model = "manual/person",
                            .messages = {{"system", "You judge."}, {"user", "Is it right?"}},
                            .schema = {{"type", "object"}}};
  NoGate m_gate;
};

TEST_F(ManualTransportTest, AsksByAFileAndReadsAFile) {
  int looks = 0;
  ManualTransport transport(m_directory, [&] {
    if (++looks == 1) std::ofstream(m_directory / "answers/verify-3-memory.md") << "True";
    return false;
  });
  const Answer answer = transport.ask(m_question, m_gate);
  EXPECT_EQ(answer.outcome, ModelOutcome::ok);
  EXPECT_EQ(answer.text, "True");
  EXPECT_THAT(text_of(m_directory / "requests/verify-3-memory.md"),
              AllOf(HasSubstr("# system\n\nYou judge.\n\n# user\n\nIs it right?"),
                    HasSubstr("\"type\": \"object\"")));
}

TEST_F(ManualTransportTest, ReadsUtf8) {
  std::filesystem::create_directories(m_directory / "answers");
  std::ofstream(m_directory / "answers/verify-3-memory.md") << "caf\xe9";
  ManualTransport transport(m_directory, [] { return true; });
  EXPECT_EQ(transport.ask(m_question, m_gate).text, "caf\uFFFD");
}

TEST_F(ManualTransportTest, GivesUpOnRequest) {
  ManualTransport transport(m_directory, [] { return true; });
  const Answer answer = transport.ask(m_question, m_gate);
  EXPECT_EQ(answer.outcome, ModelOutcome::error);
  EXPECT_THAT(answer.message, HasSubstr("answers/verify-3-memory.md"));
}

}  // namespace
}  // namespace robust_kbench

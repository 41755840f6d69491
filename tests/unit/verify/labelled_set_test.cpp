#include "verify/labelled_set.hpp"

#include <fstream>

#include "../archive/archive_directory.hpp"
#include "../prompt/scaling_task.hpp"
#include "core/error.hpp"
#include "verify/known_kernels.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class LabelledSetTest : public ArchiveDirectory {
 protected:
  static json kernel(const std::string& task, const std::string& split) {
    return {{"name", task + ".right"},
            {"task", task},
            {"direction", "forward"},
            {"source", "int x;"},
            {"labels", {{"memory", {{"valid", false}, {"found", "a"}, {"split", split}}}}}};
  }
  static json set(const std::vector<json>& kernels) {
    return {{"version", 1}, {"device", "cpu"}, {"kernels", kernels}};
  }
  LabelledSet load(const json& content) {
    const auto file = m_directory / "set.json";
    std::ofstream(file) << content;
    return load_labelled_set(file);
  }
  std::string error(const json& content) {
    try {
      load(content);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(LabelledSetTest, GivesTheKernelsOfAVerifierAndSplit) {
  json unlabelled = kernel("a", "tune");
  unlabelled["labels"] = json::object();
  const LabelledSet read = load(set({kernel("a", "tune"), kernel("b", "held_out"), unlabelled}));
  EXPECT_EQ(read.kernels.size(), 3);
  EXPECT_EQ(read.of(Verifier::memory).size(), 2);
  EXPECT_EQ(read.of(Verifier::numerics).size(), 0);
  const auto held_out = read.of(Verifier::memory, Split::held_out);
  ASSERT_EQ(held_out.size(), 1);
  EXPECT_EQ(held_out[0]->entry.name(), "b.forward");
  EXPECT_EQ(held_out[0]->source, "int x;");
  EXPECT_EQ(held_out[0]->labels.at(Verifier::memory).truth.found, "a");
}

TEST_F(LabelledSetTest, GivesKnownKernelsWithTheSubjectsOfTheirEntries) {
  const Task task = scaling_task();
  const PromptSubject subject{.task = task, .reference = {scaling_reference, "python"}};
  std::vector<std::string> entries;
  const SubjectOf subject_of = [&](const Entry& entry) {
    entries.push_back(entry.name());
    return &subject;
  };
  const LabelledSet read = load(set({kernel("a", "tune"), kernel("b", "held_out")}));
  const auto known = known_kernels(read, Verifier::memory, Split::tune, subject_of);
  ASSERT_EQ(known.size(), 1);
  EXPECT_EQ(known[0].code, "int x;");
  EXPECT_FALSE(known[0].truth.valid);
  EXPECT_EQ(known[0].subject, &subject);
  EXPECT_EQ(known_kernels(read, Verifier::memory, {}, subject_of).size(), 2);
  EXPECT_EQ(entries, (std::vector<std::string>{"a.forward", "a.forward", "b.forward"}));
  EXPECT_THROW(known_kernels(read, Verifier::numerics, {}, subject_of), UserError);
}

TEST_F(LabelledSetTest, SaysWhatIsWrong) {
  EXPECT_THAT(error(set({kernel("a", "tune"), kernel("a", "held_out")})),
              HasSubstr("task a is in both splits of verifier memory"));
  json newer = set({});
  newer["version"] = 2;
  EXPECT_THAT(error(newer), HasSubstr("its version is 2"));
  EXPECT_THAT(error(set({kernel("a", "test")})), HasSubstr("split 'test' is unknown"));
  json without = kernel("a", "tune");
  without.erase("source");
  EXPECT_THAT(error(set({without})), HasSubstr("source"));
  EXPECT_THROW(load_labelled_set(m_directory / "missing.json"), UserError);
}

}  // namespace
}  // namespace robust_kbench

// No prompt of any kind tells a model a path of this machine.

#include <cstdlib>
#include <filesystem>
#include <set>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_models.hpp"
#include "prompt/prompt_data.hpp"
#include "prompt/task_opinion.hpp"
#include "verify/tuning_prompt_data.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

class PromptPathsTest : public ArchiveDirectory {
 protected:
  PromptPathsTest() {
    m_paths = {"/home/planted-ann/notes/secret_plan/a.cu",
               "/root/secret_plan/b.hpp",
               "/tmp/secret_plan/source_0.o",
               "/work/secret_plan/kernels/c.cpp",
               "~/secret_plan/d.h",
               (fs::current_path() / "secret_plan/e.o").string(),
               (m_directory / "secret_plan/runs/1/kernel.cpp").string()};
    if (const char* home = std::getenv("HOME")) {
      m_paths.push_back((fs::path(home) / "secret_plan/f.cu").string());
    }
    for (const std::string& path : m_paths) {
      m_text +=
          "// " + path + ":12:3: error: no `x` in '" + path + "'\n#include \"" + path + "\"\n";
    }
    m_subject.machine = {m_text};
    m_subject.reference.text = m_text;
  }

  // The text with which a model is asked.
  std::string asked(const std::string& prompt, const nlohmann::json& data) {
    m_run.session.ask({.call = prompt, .stage = "test", .prompt = prompt, .data = data},
                      {.model = "a/one"});
    return m_run.model.asked.back().messages.back().content;
  }

  [[nodiscard]] ProfileRecord profile() const {
    ProfileRecord profile;
    profile.findings = {{.tool = m_text, .what = m_text, .meaning = m_text}};
    profile.advice = {{.rule = "x", .text = m_text, .because = {{.where = {.line = 1}}}}};
    return profile;
  }

  // The data of every prompt, with paths wherever a text is.
  std::map<std::string, nlohmann::json> all() {
    const Candidate parent{.id = 1, .name = m_text, .text = m_text};
    const ProposalRequest request{
        .parent = parent,
        .context = {},
        .tried = {{.strategy = m_text, .outcome = m_text, .reason = m_text}}};
    const ProposalContext context{.request = request,
                                  .example = StartingSource{m_text + "// x", true},
                                  .headers = {{m_paths.front(), m_text}},
                                  .advice = advice_texts(profile(), m_text),
                                  .earlier_answer = FailedProposal{m_text, "malformed", m_text}};
    const std::vector<TriedInstructions> tried{{m_text, {}}};
    std::map<std::string, nlohmann::json> data{
        {"propose", proposal_data(m_subject, context)},
        {"repair", repair_data(m_subject, {m_text, "crash", m_text})},
        {"translate", translation_data(m_subject, {.failed = {{m_text, "crash", m_text},
                                                              {m_text, "crash", m_text}}})},
        {"condense_error", error_data(Device::cpu, m_text, m_text)},
        {"judge_task", opinion_data(m_subject)},
        {"reflect", reflection_data(m_subject, Verifier::memory, m_text, m_text, m_text)},
        {"summarise_profile", profile_data(Device::cpu, m_text, profile())},
        {"tune_verifier",
         instructions_data(Device::cpu, Verifier::memory, tried, m_text, {m_text})},
        {"condense_mistakes", mistakes_data(Device::cpu, Verifier::memory,
                                            {{m_text, m_text, VerifierTruth{false, m_text}}})}};
    for (const Verifier verifier : verifiers) {
      data["verify_" + std::string(to_string(verifier))] =
          verification_data(m_subject, verifier, m_text, m_text);
    }
    return data;
  }

  std::vector<std::string> m_paths;
  std::string m_text;
  Task m_task = scaling_task();
  PromptSubject m_subject{.task = m_task, .reference = {scaling_reference, "python"}};
  ScriptedRun m_run{m_directory, [](const ScriptedQuestion&) { return Answer{.text = "yes"}; }};
};

TEST_F(PromptPathsTest, AreInNoPromptOfAnyKind) {
  std::set<std::string> kinds;
  for (const auto& [prompt, data] : all()) {
    EXPECT_THAT(data.dump(), HasSubstr("secret_plan")) << prompt;
    const std::string text = asked(prompt, data);
    for (const char* part : {"secret_plan", "planted-ann", "/home/", "/tmp/", "/work/"}) {
      EXPECT_EQ(text.find(part), std::string::npos)
          << prompt << " tells " << text.substr(text.find(part), 80);
    }
    EXPECT_EQ(text.find(fs::current_path().string()), std::string::npos) << prompt;
    EXPECT_EQ(text.find(m_directory.string()), std::string::npos) << prompt;
    kinds.insert(prompt);
  }
  std::set<std::string> templates;
  for (const auto& entry : fs::directory_iterator(PROMPTS)) {
    if (entry.is_regular_file()) templates.insert(entry.path().stem());
  }
  EXPECT_EQ(kinds, templates);
}

}  // namespace
}  // namespace robust_kbench

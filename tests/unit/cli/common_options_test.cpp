#include "command/common_options.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "built_program.hpp"
#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t text_column = 30;  // of --help

struct ShownOption {
  std::string command;
  std::string value;  // its type and choices, without a default
  std::string text;
};

// The lines of --help below the headings of options.
std::vector<std::string> lines_of_options(const std::string& help) {
  std::vector<std::string> lines;
  std::istringstream in(help);
  bool below = false;
  for (std::string line; std::getline(in, line);) {
    if (below && line.starts_with("  ")) lines.push_back(line);
    if (line.starts_with(" ")) continue;
    below = line.ends_with(":") && line != "Positionals:" && line != "Subcommands:";
  }
  return lines;
}

// Adds the options of a command by their names.
void add_shown(const std::string& command, const std::string& help,
               std::map<std::string, std::vector<ShownOption>>& shown) {
  ShownOption* last = nullptr;
  for (const std::string& line : lines_of_options(help)) {
    std::string text = line.size() > text_column ? line.substr(text_column) : "";
    if (line[2] == '-') {
      const bool text_follows = line.size() > text_column && line[text_column - 1] != ' ';
      const std::string head = text_follows ? line : line.substr(0, text_column);
      std::smatch match;
      std::regex_search(head, match,
                        std::regex(R"(^  (-[^ ]+) ?([A-Z]*(:[^ =]+)?( - [0-9]+\])?))"));
      last = &shown[match[1]].emplace_back(ShownOption{command, match[2], ""});
      if (text_follows) text.clear();
    }
    last->text += text;
  }
}

// The page of commands has what --help prints of each, which the test docs.cli sees to.
std::map<std::string, std::vector<ShownOption>> options_of_all_commands() {
  constexpr std::string_view heading = "\n## ";
  const std::string page = read_text(RKB_CLI_PAGE).value_or("");
  std::map<std::string, std::vector<ShownOption>> shown;
  for (std::size_t begin = page.find(heading); begin != std::string::npos;) {
    begin += heading.size();
    const std::size_t end = page.find(heading, begin);
    const std::string command = page.substr(begin, page.find('\n', begin) - begin);
    if (!command.starts_with("rkb_")) add_shown(command, page.substr(begin, end - begin), shown);
    begin = end;
  }
  return shown;
}

// What two commands call the same is the same to whoever reads --help.
TEST(CommonOptions, AreCalledAndExplainedTheSameInEveryCommand) {
  std::set<std::string> shared;
  auto all = options_of_all_commands();
  // An evaluation is no run of an archive, so it goes on without naming one.
  std::erase_if(all.at("--resume"),
                [](const ShownOption& option) { return option.command == "rkb evaluate"; });
  for (const auto& [names, options] : all) {
    if (options.size() == 1 || names == "-h,--help") continue;
    shared.insert(names);
    const auto known = std::ranges::find(common_options(), names, &CommonOption::names);
    const std::string text = known == common_options().end() ? options.front().text : known->text;
    for (const ShownOption& option : options) {
      EXPECT_EQ(option.value, options.front().value) << names << " of " << option.command;
      if (known == common_options().end() || !option.text.starts_with(text + "; ")) {
        EXPECT_EQ(option.text, text) << names << " of " << option.command;
      }
    }
  }
  EXPECT_GE(shared.size(), 30);
  for (const CommonOption& option : common_options()) {
    EXPECT_TRUE(shared.contains(option.names)) << option.names << " is of one command";
  }
}

TEST(CommonOptions, EveryCommandThatWritesRecordsTakesAFileAndAFormat) {
  std::set<std::string> commands;
  const auto shown = options_of_all_commands();
  for (const ShownOption& option : shown.at("--json")) commands.insert(option.command);
  for (const char* command :
       {"test", "bench", "evaluate", "profile", "demo", "report", "compile", "list", "verify"}) {
    EXPECT_TRUE(commands.contains(std::string("rkb ") + command)) << command;
  }
}

class JsonToStdout : public testing::Test {
 protected:
  // What a command prints on stdout, in a directory of its own.
  std::string stdout_of(const std::string& arguments) {
    const CommandResult result =
        run_command({"/bin/sh", "-c", "exec " RKB_PROGRAM " " + arguments + " > out"},
                    std::chrono::minutes{2}, m_directory.path());
    m_stderr = result.output;
    EXPECT_FALSE(std::filesystem::exists(m_directory.path() / "-"));
    std::ifstream in(m_directory.path() / "out");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryDirectory m_directory{"rkb_json"};
  std::string m_stderr;
};

TEST_F(JsonToStdout, IsAloneOnStdoutAndTheTableGoesToStderr) {
  const std::string blocked = RKB_KERNELS "/mnist_linear/forward/blocked.cpp";
  const nlohmann::json records = nlohmann::json::parse(
      stdout_of("evaluate --task mnist_linear --no-bench --seeds 1 --json - " + blocked));
  EXPECT_EQ(records["kernels"][0]["verdict"], "pass");
  EXPECT_THAT(m_stderr, HasSubstr("1 passed"));
  const nlohmann::json compiled =
      nlohmann::json::parse(stdout_of("compile --quick --json - " + blocked));
  EXPECT_EQ(compiled["kernels"][0]["verdict"], "pass");
  EXPECT_THAT(m_stderr, HasSubstr("blocked.cpp: pass"));
  EXPECT_EQ(nlohmann::json::parse(stdout_of("list --json -"))["tasks"].size(), 11);
}

TEST_F(JsonToStdout, HasNoOtherFileBeside) {
  const nlohmann::json refused =
      nlohmann::json::parse(stdout_of("report --json - --junit - " RKB_GOLDEN "/records.json"));
  EXPECT_EQ(refused.size(), 1);
  EXPECT_THAT(refused["error"]["message"].get<std::string>(), HasSubstr("stdout is named twice"));
  EXPECT_THAT(stdout_of("report --junit - " RKB_GOLDEN "/records.json"), StartsWith("<?xml"));
}

}  // namespace
}  // namespace robust_kbench

#include "report/failure_blocks.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/utf8.hpp"
#include "report/page_blocks.hpp"
#include "report/verdict_blocks.hpp"

namespace robust_kbench {
namespace {

// No character of these means anything to a shell.
bool is_plain_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
  };
  return !word.empty() && std::ranges::all_of(word, is_plain);
}

// "my_kernel.cpp" for "/home/me/my_kernel.cpp" and "--source=b.cpp" for "--source=/home/me/b.cpp".
std::string without_directory(const std::string& word) {
  const std::size_t value = word.starts_with("--") ? word.find('=') + 1 : 0;
  if (word.substr(value, 1) != "/") return word;
  return word.substr(0, value) + word.substr(word.rfind('/') + 1);
}

std::optional<std::string> replay_in(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  const bool is_replay = words.size() > 2 && (words[0] == "rkb" || words[0].ends_with("/rkb")) &&
                         words[1] == "test" && std::ranges::all_of(words, is_plain_word);
  if (!is_replay) return std::nullopt;
  std::string command = "rkb";
  for (std::size_t i = 1; i < words.size(); ++i) command += " " + without_directory(words[i]);
  return command;
}

// The case that the kernel's own verdict comes from.
const CaseRecord* decisive_case(const KernelRecord& record) {
  const auto found = std::ranges::find_if(record.cases, [&](const CaseRecord& c) {
    return !c.refused && c.judgement.verdict == record.judgement.verdict;
  });
  return found == record.cases.end() ? nullptr : &*found;
}

TableBlock failed_cases(const KernelRecord& record) {
  constexpr std::size_t longest = 200;  // bytes of a reason
  TableBlock table({"case", "asks", "verdict", "reason"});
  for (const CaseRecord& c : record.cases) {
    if (c.judgement.passes()) continue;
    table.add({c.name, c.asks, verdict_cell(c.judgement), first_line(c.judgement.reason, longest)});
  }
  return table;
}

nlohmann::json blocks_of_failure(const KernelRecord& record) {
  nlohmann::json blocks = nlohmann::json::array();
  if (!record.judgement.reason.empty()) blocks.push_back(output_block(record.judgement.reason));
  const CaseRecord* const failed = decisive_case(record);
  if (const auto replay = failed == nullptr ? std::nullopt : replay_of(*failed)) {
    blocks.push_back(text_block("Replay it where the kernel lies:", "note"));
    blocks.push_back(command_block(*replay));
  }
  if (!record.judgement.output.empty()) {
    blocks.push_back(text_block("The kernel printed:", "note"));
    blocks.push_back(output_block(record.judgement.output));
  }
  const TableBlock cases = failed_cases(record);
  if (!cases.empty()) blocks.push_back(cases.json());
  return blocks;
}

}  // namespace

std::optional<std::string> replay_of(const CaseRecord& failed) {
  std::istringstream reason(failed.judgement.reason);
  std::optional<std::string> command;
  for (std::string line; std::getline(reason, line);) {
    if (const auto replay = replay_in(line)) command = replay;
  }
  return command;
}

nlohmann::json failure_blocks(const std::vector<KernelRecord>& records) {
  nlohmann::json blocks = nlohmann::json::array();
  for (const KernelRecord& record : records) {
    if (record.judgement.passes() || record.judgement.verdict == Verdict::skipped) continue;
    blocks.push_back(fold_block(kernel_title(record), record.judgement, blocks_of_failure(record)));
  }
  return blocks;
}

}  // namespace robust_kbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/call_row.hpp"
#include "archive/database.hpp"

// Rows of the table `answers`. All functions throw as Database does.
namespace robust_kbench {

// The question, and the hash of its answer, which is content.
struct AnswerRow {
  CallIdentity identity;
  std::string answer_hash;
};

void add_answer(const Database& database, const AnswerRow& row);
std::optional<std::string> find_answer(const Database& database, const std::string& run,
                                       const std::string& request_hash);
// The answers about a proposal, in the order in which they came.
std::vector<AnswerRow> read_answers(const Database& database, const std::string& run,
                                    std::int64_t proposal);

}  // namespace robust_kbench

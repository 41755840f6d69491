#include "archive/answer_table.hpp"

namespace robust_kbench {

void add_answer(const Database& database, const AnswerRow& row) {
  const CallIdentity& identity = row.identity;
  database
      .prepare(
          "INSERT INTO answers(run, request_hash, call, stage, purpose, proposal, model, "
          "answer_hash) VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(identity.run, identity.request_hash, identity.call, identity.stage, identity.purpose,
            identity.proposal, identity.model, row.answer_hash)
      .step();
}

std::optional<std::string> find_answer(const Database& database, const std::string& run,
                                       const std::string& request_hash) {
  Statement row =
      database.prepare("SELECT answer_hash FROM answers WHERE run = ? AND request_hash = ?");
  if (!row.bind(run, request_hash).step()) return std::nullopt;
  return row.text(0);
}

std::vector<AnswerRow> read_answers(const Database& database, const std::string& run,
                                    std::int64_t proposal) {
  Statement row = database.prepare(
      "SELECT request_hash, call, stage, purpose, model, answer_hash FROM answers "
      "WHERE run = ? AND proposal = ? ORDER BY number");
  row.bind(run, proposal);
  std::vector<AnswerRow> answers;
  while (row.step()) {
    answers.push_back({.identity = {.run = run,
                                    .call = row.text(1),
                                    .request_hash = row.text(0),
                                    .stage = row.text(2),
                                    .purpose = row.text(3),
                                    .proposal = proposal,
                                    .model = row.text(4)},
                       .answer_hash = row.text(5)});
  }
  return answers;
}

}  // namespace robust_kbench

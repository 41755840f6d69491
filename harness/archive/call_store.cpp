#include "archive/call_store.hpp"

#include <unistd.h>

#include "archive/answer_table.hpp"
#include "archive/database_error.hpp"
#include "archive/row_tables.hpp"
#include "archive/schema.hpp"
#include "archive/timestamp.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/sha256.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

namespace fs = std::filesystem;
using nlohmann::json;

CallStore::CallStore(const fs::path& directory, Database::Mode mode)
    : m_directory(fs::absolute(directory)),
      m_mode(mode),
      m_database(open_archive_database(m_directory, mode)),
      m_content(m_directory / "content") {}

void CallStore::hold(const std::string& run) {
  const std::scoped_lock lock(m_mutex);
  need_writable();
  const fs::path path = m_directory / "locks" / run;
  const std::optional<pid_t> holder = RunLock::holder(path);
  if (holder == getpid()) return;
  if (!holder && read_row(m_database, runs_table(), "WHERE id = ?", run)) {
    throw HarnessError("no Archive of this process holds the run " + run);
  }
  m_locks.try_emplace(run, path, run);
}

CallRow CallStore::add(CallRow row, const std::vector<std::string>& runs,
                       const std::function<void(CallRow&, const CallTotals&)>& decide) {
  const std::scoped_lock lock(m_mutex);
  need_writable();
  m_database.transaction([&] {
    row.attempt = next_attempt(m_database, row.identity.run, row.identity.call);
    row.started_at = timestamp();
    decide(row, totals_of(runs));
    write_row(m_database, calls_table(), row);
  });
  return row;
}

void CallStore::keep_price(const CallIdentity& identity, const json& entry) {
  const std::scoped_lock lock(m_mutex);
  need_writable();
  const std::string text = entry.dump();
  m_database
      .prepare("INSERT OR IGNORE INTO effects(run, key, value, value_hash) VALUES(?, ?, ?, '')")
      .bind(identity.run, "price/" + identity.model + "/" + sha256(text), text)
      .step();
}

void CallStore::end(const CallRow& row) {
  const std::scoped_lock lock(m_mutex);
  need_writable();
  write_row(m_database, calls_table(), row);
}

CallTotals CallStore::totals(const std::vector<std::string>& runs) const {
  const std::scoped_lock lock(m_mutex);
  return totals_of(runs);
}

std::vector<CallRow> CallStore::calls(const std::string& run) const {
  const std::scoped_lock lock(m_mutex);
  if (!has_call_tables(m_database)) return {};
  return read_rows(m_database, calls_table(), "WHERE run = ? ORDER BY number", run);
}

std::optional<json> CallStore::answer(const std::string& run,
                                      const std::string& request_hash) const {
  const std::scoped_lock lock(m_mutex);
  if (!has_call_tables(m_database)) return std::nullopt;
  const std::optional<std::string> hash = find_answer(m_database, run, request_hash);
  if (!hash) return std::nullopt;
  json answer = parse_json_if_any(m_content.get(*hash));
  if (answer.is_discarded()) throw_damaged(m_content.path(*hash), "it is no JSON");
  return answer;
}

void CallStore::keep_answer(const CallIdentity& identity, const std::string& request,
                            const json& answer) {
  const std::scoped_lock lock(m_mutex);
  need_writable();
  const std::string hash =
      m_content.put(answer.dump(-1, ' ', false, json::error_handler_t::replace));
  const std::optional<std::string> known =
      find_answer(m_database, identity.run, identity.request_hash);
  if (known == hash) return;
  if (known) {
    throw HarnessError("run " + identity.run + " has another answer to the call " + identity.call +
                       " already");
  }
  if (m_content.put(request) != identity.request_hash) {
    throw HarnessError("the request of the call " + identity.call + " has another hash");
  }
  add_answer(m_database, {.identity = identity, .answer_hash = hash});
}

std::vector<CallStore::Exchange> CallStore::exchanges(const std::string& run,
                                                      std::int64_t proposal) const {
  const std::scoped_lock lock(m_mutex);
  std::vector<Exchange> exchanges;
  if (!has_call_tables(m_database)) return exchanges;
  for (AnswerRow& row : read_answers(m_database, run, proposal)) {
    std::string request = m_content.get(row.identity.request_hash);
    std::string answer = m_content.get(row.answer_hash);
    exchanges.push_back({std::move(row.identity), std::move(request), std::move(answer)});
  }
  return exchanges;
}

CallTotals CallStore::totals_of(const std::vector<std::string>& runs) const {
  CallTotals totals;
  if (!has_call_tables(m_database)) return totals;
  for (const std::string& run : runs) {
    const CallTotals sum = sum_calls(m_database, run);
    totals.micro_usd = totals.micro_usd + sum.micro_usd;
    totals.tokens += sum.tokens;
    totals.calls += sum.calls;
  }
  return totals;
}

void CallStore::need_writable() const {
  if (m_mode != Database::Mode::read_only) return;
  throw HarnessError("the archive " + m_directory.string() + " was opened for reading alone");
}

}  // namespace robust_kbench

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "archive/call_row.hpp"
#include "archive/call_table.hpp"
#include "archive/content_store.hpp"
#include "archive/database.hpp"
#include "archive/run_lock.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The questions to language models in an archive: each attempt with its cost, and each answer under
// the hash of its request.
//
// It has a connection of its own. So any thread may call any function while an Archive of the same
// directory is in use. When a function returns, its data are on the disk. Functions throw UserError
// as those of Archive do.
class CallStore {
 public:
  CallStore(const std::filesystem::path& directory, Database::Mode mode);

  // Makes sure that no other process writes calls of the run, whose lock an Archive of this process
  // must hold. Any other name stands for another command that asks, and its lock is taken here.
  // Throws UserError where another process has it, and HarnessError where Archive::hold() was
  // forgotten.
  void hold(const std::string& run);

  // Adds the row as the next attempt of its call, and returns it. `decide` gets the totals of all
  // `runs` and may change the row before. No other thread or process adds or ends a call in
  // between.
  CallRow add(CallRow row, const std::vector<std::string>& runs,
              const std::function<void(CallRow&, const CallTotals&)>& decide);
  // Keeps an entry of the price list as an effect of the call's run, once for each model and entry.
  void keep_price(const CallIdentity& identity, const nlohmann::json& entry);
  // Replaces the row of that run, call and attempt.
  void end(const CallRow& row);
  [[nodiscard]] CallTotals totals(const std::vector<std::string>& runs) const;
  [[nodiscard]] std::vector<CallRow> calls(const std::string& run) const;  // in their order

  // The run's answer to a request; nullopt if it was never asked or the attempts failed.
  [[nodiscard]] std::optional<nlohmann::json> answer(const std::string& run,
                                                     const std::string& request_hash) const;
  // Keeps both texts as content. The same answer again changes nothing. Throws HarnessError for
  // another answer to a known request.
  void keep_answer(const CallIdentity& identity, const std::string& request,
                   const nlohmann::json& answer);
  // The texts of a run's questions about a proposal, with their answers, in the order of asking.
  struct Exchange {
    CallIdentity identity;
    std::string request;  // canonical JSON
    std::string answer;   // JSON
  };
  [[nodiscard]] std::vector<Exchange> exchanges(const std::string& run,
                                                std::int64_t proposal) const;

 private:
  [[nodiscard]] CallTotals totals_of(const std::vector<std::string>& runs) const;
  void need_writable() const;

  std::filesystem::path m_directory;
  Database::Mode m_mode;
  Database m_database;
  ContentStore m_content;
  std::map<std::string, RunLock> m_locks;  // by run
  mutable std::mutex m_mutex;
};

}  // namespace robust_kbench

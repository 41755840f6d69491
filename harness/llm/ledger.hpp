#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "archive/call_store.hpp"
#include "llm/spending_cap.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// What is left of each limit of a cap; none where the cap has no such limit.
struct Budget {
  std::optional<MicroDollars> micro_usd;
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> calls;
};

// Decides which attempts to ask a language model may be made, and keeps what they cost. It serves a
// whole command, with all its runs. Any thread may call it.
//
// The reservation of an attempt is on the disk before leave is given, and counts until the attempt
// has ended. So neither a kill nor a second thread can exceed a cap.
class Ledger {
 public:
  struct Options {
    SpendingCap cap;                // the person's own
    SpendingCap committed = {};     // of a repository's settings, which may only lower the cap
    CapTexts places = cap_options;  // what has set each limit of the cap, for messages
    CapTexts committed_places = cap_options;
    bool stops_on_overrun = true;  // no attempt is granted after one that cost more than reserved
  };
  // The store outlives this object.
  Ledger(CallStore& store, const Options& options);

  // From now on the calls of this run count, those of earlier processes, too.
  void cover(const std::string& run);
  // Covers a run of which calls will be made. Attempts that a killed process left open are closed
  // as `unknown`. Throws as CallStore::hold() does, so the run's Archive must hold it already.
  void begin(const std::string& run);

  // A row of the ledger for an attempt of a call of a run that has begun. It is `reserved`, or
  // `not_granted` with a message for people. Where it would fit if the attempts under way cost less
  // than they may, it waits for their ends. So a thread has one attempt under way at a time.
  CallRow reserve(const CallIdentity& identity, const std::string& host,
                  const Reservation& reservation);
  // Charges an attempt that reserve() has granted. Returns its row as it is now.
  CallRow settle(const CallRow& reserved, const AttemptEnd& end);
  // Closes an attempt whose end will never be known.
  void abandon(const CallRow& reserved, const std::string& why);
  // Notes an answer that cost nothing.
  void note_unpaid(const CallIdentity& identity, const std::string& host);

  // What the runs were charged. Attempts under way count as calls and cost nothing yet.
  [[nodiscard]] CallTotals spent() const;
  [[nodiscard]] Budget left() const;
  // Why no further attempt is granted; none while some may be.
  [[nodiscard]] std::optional<std::string> stopped() const;
  // Why an attempt did not fit into the cap; none: all did. A cheaper one may still fit.
  [[nodiscard]] std::optional<std::string> exhausted() const;

 private:
  [[nodiscard]] std::string refusal(const CallRow& row, const CallTotals& totals) const;
  // Whether some limit of the person bounds what the attempt may cost. Others may still fit where
  // none does.
  [[nodiscard]] bool has_bound(const CallRow& row) const;
  // Whether the end of an attempt under way may make room for this one.
  [[nodiscard]] bool may_fit_later(const CallRow& row) const;
  void close(const CallRow& row);

  CallStore& m_store;
  const Options m_options;
  const SpendingCap m_cap;           // with what is committed
  const CapTexts m_places;           // what has set each limit of it
  std::vector<std::string> m_runs;   // covered
  std::vector<std::string> m_begun;  // some of these
  CallTotals m_under_way;            // what this object has granted and not ended
  std::optional<std::string> m_stopped;
  std::optional<std::string> m_exhausted;
  mutable std::mutex m_mutex;
  std::condition_variable m_ended;
};

// The limits of a cap with what has set each of them: "$5.00 (--max-usd), 12 calls
// (RKB_MAX_CALLS)". Empty where nothing may be asked.
std::string limits_text(const Ledger::Options& options);

// The texts that a person sees: "$1.20, 40000 tokens, 12 calls left".
std::string to_text(const Budget& budget);

}  // namespace robust_kbench

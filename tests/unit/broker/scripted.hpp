#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

inline WorkerOptions scripted_options() {
  WorkerOptions options;
  options.program = SCRIPTED_WORKER;
  options.sandbox = RKB_SANDBOX;
  options.threads = 3;
  options.arena_bytes = std::size_t{16} << 20;
  options.limits.call_timeout = std::chrono::seconds{120};
  return options;
}

// A worker that has loaded `script` and is ready to run it `calls` times.
class Scripted {
 public:
  explicit Scripted(const std::string& script, const WorkerOptions& options = scripted_options(),
                    std::size_t calls = 1)
      : worker(options) {
    const Outcome<Loaded> loaded = worker.load({script, "forward"});
    EXPECT_TRUE(std::holds_alternative<Loaded>(loaded)) << script;
    ArenaHeader& header = worker.arena().header();
    header.kernel_begin = header.cursor = header.poisoned_until = worker.arena().inputs_begin();
    header.poison = poison_word(1);
    const Outcome<Done> prepared = worker.prepare(std::vector<Call>(calls));
    EXPECT_TRUE(std::holds_alternative<Done>(prepared)) << script;
  }

  WorkerProcess worker;
};

// The judgement of a worker that ends while it runs `script`.
inline Judgement end_of(const std::string& script,
                        const WorkerOptions& options = scripted_options()) {
  Scripted scripted(script, options);
  const Outcome<Ran> ran = scripted.worker.run();
  if (const auto* end = std::get_if<Judgement>(&ran)) return *end;
  ADD_FAILURE() << script << ": the worker lives";
  return passed();
}

}  // namespace robust_kbench

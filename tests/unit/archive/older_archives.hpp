#pragma once

#include <filesystem>
#include <string>

#include "archive/content_store.hpp"
#include "archive/database.hpp"

// Archives by the statements that older versions of the program made them with.
namespace robust_kbench {

// The run of each of these archives.
inline constexpr const char* old_run = "layernorm.forward.cpu.1";

inline Database make_version_1(const std::filesystem::path& place) {
  std::filesystem::create_directories(place);
  Database database(place / "archive.sqlite", Database::Mode::create);
  database.execute(R"(
PRAGMA journal_mode = WAL;
CREATE TABLE runs(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL,
  direction TEXT NOT NULL, device TEXT NOT NULL, seed TEXT NOT NULL, settings TEXT NOT NULL,
  state TEXT NOT NULL, stop_reason TEXT NOT NULL, winner INTEGER NOT NULL, summary TEXT NOT NULL,
  started_at TEXT NOT NULL, ended_at TEXT NOT NULL);
CREATE TABLE proposals(run TEXT NOT NULL, id INTEGER NOT NULL, generation INTEGER NOT NULL,
  sample INTEGER NOT NULL, stage TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
  reason_class TEXT NOT NULL, parents TEXT NOT NULL, proposer TEXT NOT NULL,
  strategy TEXT NOT NULL, source_hash TEXT NOT NULL, token_hash TEXT NOT NULL,
  object_hash TEXT NOT NULL, settings TEXT NOT NULL, seconds TEXT NOT NULL, speedup REAL,
  ci_low REAL, ci_high REAL, device TEXT NOT NULL, gpu TEXT NOT NULL, toolkit TEXT NOT NULL,
  record_hash TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY(run, id));
CREATE TABLE effects(run TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  value_hash TEXT NOT NULL, PRIMARY KEY(run, key));
INSERT INTO runs VALUES(1, 'layernorm.forward.cpu.1', 'layernorm', 'forward', 'cpu', '7', '{}',
  'ended', 'plateau', 0, '{}', '2026-11-25T13:02:00.123Z', '2026-11-25T13:04:00.123Z');
INSERT INTO effects VALUES('layernorm.forward.cpu.1', 'clock/1', '5', '');
PRAGMA application_id = 1380663873;
PRAGMA user_version = 1;
)");
  return database;
}

// One call of the run, `propose/1` about proposal 1, has been answered. `request` and `answer` are
// JSON.
inline void make_version_2(const std::filesystem::path& place, const std::string& request,
                           const std::string& answer) {
  const Database database = make_version_1(place);
  database.execute(R"(
CREATE TABLE calls(number INTEGER PRIMARY KEY, run TEXT NOT NULL, call TEXT NOT NULL,
  attempt INTEGER NOT NULL, request_hash TEXT NOT NULL, stage TEXT NOT NULL,
  purpose TEXT NOT NULL, proposal INTEGER NOT NULL, model TEXT NOT NULL, host TEXT NOT NULL,
  state TEXT NOT NULL, status TEXT NOT NULL, reserved_micro_usd INTEGER,
  charged_micro_usd INTEGER, reserved_tokens INTEGER NOT NULL, charged_tokens INTEGER NOT NULL,
  input_tokens INTEGER, cached_input_tokens INTEGER, output_tokens INTEGER,
  reasoning_tokens INTEGER, seconds REAL NOT NULL, message TEXT NOT NULL,
  started_at TEXT NOT NULL, ended_at TEXT NOT NULL, UNIQUE(run, call, attempt));
CREATE TABLE answers(number INTEGER PRIMARY KEY, run TEXT NOT NULL, request_hash TEXT NOT NULL,
  call TEXT NOT NULL, stage TEXT NOT NULL, purpose TEXT NOT NULL, proposal INTEGER NOT NULL,
  model TEXT NOT NULL, answer_hash TEXT NOT NULL, UNIQUE(run, request_hash));
PRAGMA user_version = 2;
)");
  const ContentStore content(place / "content");
  const std::string request_hash = content.put(request);
  database
      .prepare(R"(INSERT INTO calls VALUES(1, ?, 'propose/1', 1, ?, 'propose', '', 1, 'stub/model',
  'stub.example', 'charged', 'ok', 1000, 300, 150, 60, 40, 0, 20, 0, 1.5, '',
  '2026-11-25T13:02:01.000Z', '2026-11-25T13:02:03.000Z'))")
      .bind(old_run, request_hash)
      .step();
  database
      .prepare(
          "INSERT INTO answers VALUES(1, ?, ?, 'propose/1', 'propose', '', 1, 'stub/model', ?)")
      .bind(old_run, request_hash, content.put(answer))
      .step();
}

}  // namespace robust_kbench

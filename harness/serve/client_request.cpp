#include "serve/client_request.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "core/error.hpp"
#include "evaluate/replay_choice.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr int max_seeds = 1'000'000;
constexpr std::size_t max_quoted_bytes = 100;

std::string shortened(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > max_quoted_bytes) text = text.substr(0, max_quoted_bytes) + "...";
  return text;
}

// The fields of an object, which errors call `who`.
class Fields {
 public:
  Fields(const json& object, std::string who) : m_object(object), m_who(std::move(who)) {
    if (!object.is_object()) {
      throw UserError(fmt::format("{} is {}; give an object", m_who, shortened(object)));
    }
  }

  void allow(const std::vector<std::string>& known) const {
    for (const auto& [name, value] : m_object.items()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw UserError(fmt::format("{} has no field {}; its fields are {}", m_who, shortened(name),
                                  fmt::join(known, ", ")));
    }
  }

  [[nodiscard]] bool has(const char* name) const { return m_object.contains(name); }
  [[nodiscard]] const json& at(const char* name) const {
    if (!has(name)) throw UserError(fmt::format("{} lacks the field '{}'; give it", m_who, name));
    return m_object.at(name);
  }

  [[nodiscard]] std::string text(const char* name) const {
    const json& value = at(name);
    if (!value.is_string()) refuse(name, "give a string");
    return value.get<std::string>();
  }
  [[nodiscard]] std::string text(const char* name, const std::string& usual) const {
    return has(name) ? text(name) : usual;
  }

  [[nodiscard]] std::vector<std::string> texts(const char* name) const {
    if (!has(name)) return {};
    const json& list = at(name);
    const bool strings =
        list.is_array() &&
        std::all_of(list.begin(), list.end(), [](const json& e) { return e.is_string(); });
    if (!strings) refuse(name, "give a list of strings");
    return list.get<std::vector<std::string>>();
  }

  [[nodiscard]] bool flag(const char* name, bool usual) const {
    if (!has(name)) return usual;
    if (!at(name).is_boolean()) refuse(name, "give true or false");
    return at(name).get<bool>();
  }

  [[nodiscard]] std::uint64_t number(const char* name, std::uint64_t usual, std::uint64_t low,
                                     std::uint64_t high) const {
    if (!has(name)) return usual;
    const json& value = at(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < low ||
        value.get<std::uint64_t>() > high) {
      refuse(name, fmt::format("give an integer of {} to {}", low, high));
    }
    return value.get<std::uint64_t>();
  }

  [[noreturn]] void refuse(const char* name, const std::string& remedy) const {
    throw UserError(fmt::format("{}: '{}' is {}; {}", m_who, name, shortened(at(name)), remedy));
  }

 private:
  const json& m_object;
  const std::string m_who;
};

const std::vector<std::string> source_fields{"source", "paths",  "headers", "include",
                                             "define", "option", "library", "entry"};

// A client knows nothing of the server's working directory.
void require_absolute(const std::string& what, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (!std::filesystem::path(path).is_absolute()) {
      throw UserError(what + " '" + path + "' is not absolute; give the whole path");
    }
  }
}

SubmittedSource parse_source(const Fields& fields) {
  SubmittedSource source;
  source.text = fields.text("source", "");
  source.paths = fields.texts("paths");
  if (source.text.empty() == source.paths.empty()) {
    throw UserError("a kernel has either 'source', its text, or 'paths', its files; give one");
  }
  require_absolute("kernel source", source.paths);
  source.options.headers = fields.text("headers", source.options.headers);
  source.options.include_directories = fields.texts("include");
  source.options.definitions = fields.texts("define");
  source.options.options = fields.texts("option");
  source.options.libraries = fields.texts("library");
  source.options.entry_point = fields.text("entry", "");
  require_absolute("include", source.options.include_directories);
  std::vector<std::string> files = source.options.libraries;
  std::erase_if(files, [](const std::string& library) { return library.starts_with('-'); });
  require_absolute("library", files);
  return source;
}

// Reads a number, or text such as "0x6853c3f665dce0c2", since not every JSON library keeps 64 bits.
std::uint64_t parse_nonce(const Fields& fields) {
  const char* remedy = "give an integer above 0 of 64 bits, or its digits as a string";
  if (!fields.has("nonce")) return 0;
  const json& value = fields.at("nonce");
  std::uint64_t nonce = value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    try {
      std::size_t end = 0;
      nonce = std::stoull(text, &end, 0);
      if (end != text.size() || text.starts_with('-')) nonce = 0;
    } catch (const std::exception&) {
      nonce = 0;
    }
  }
  if (nonce == 0) fields.refuse("nonce", remedy);
  return nonce;
}

Scope parse_scope(const Fields& fields) {
  fields.allow(
      {"configs", "config", "seeds", "case", "nonce", "all_cases", "coverage", "require_shapes"});
  Scope scope;
  for (const std::string& set : fields.texts("configs")) {
    scope.sets.push_back(parse_config_set(set));
  }
  scope.only_config = fields.text("config", "");
  scope.seeds = static_cast<int>(fields.number("seeds", default_seeds, 1, max_seeds));
  scope.only_case = fields.text("case", "");
  scope.nonce = parse_nonce(fields);
  scope.all_cases = fields.flag("all_cases", false);
  if (fields.has("coverage")) scope.coverage = parse_coverage(fields.text("coverage"));
  scope.require_shapes = fields.flag("require_shapes", false);
  return scope;
}

// Returns the device of a submission that names none, by the extension of its first file.
Device submitted_device(const SubmittedSource& source) {
  const bool cuda = !source.paths.empty() && source.paths.front().ends_with(".cu");
  return cuda ? Device::cuda : Device::cpu;
}

std::map<std::string, SubmittedSource> parse_rivals(const json& rivals) {
  (void)Fields(rivals, "rivals");  // is an object
  std::map<std::string, SubmittedSource> sources;
  for (const auto& [name, rival] : rivals.items()) {
    const Fields fields(rival, "rival '" + name + "'");
    fields.allow(source_fields);
    sources[name] = parse_source(fields);
  }
  return sources;
}

void read_judge(const Fields& fields, SubmitRequest& submit) {
  const std::string judge = fields.text("judge", "");
  if (fields.has("judge") && judge != "replay" && judge != "in_process") {
    fields.refuse("judge", "give \"replay\" or \"in_process\"");
  }
  submit.require_replay = fields.flag("require_replay", false);
  submit.replay = asked_replay(judge, submit.require_replay);
  if (submit.replay == Replay::always && !submit.bench) {
    throw UserError(
        "a replay is of a timed kernel, and 'bench' is false; leave one of the two out");
  }
}

SubmitRequest parse_submit(const std::string& id, const Fields& fields) {
  std::vector<std::string> known{"type",  "id",       "task",  "direction",      "device", "scope",
                                 "bench", "sanitize", "judge", "require_replay", "rivals"};
  known.insert(known.end(), source_fields.begin(), source_fields.end());
  fields.allow(known);
  SubmitRequest submit{.id = id, .task = fields.text("task")};
  submit.direction = parse_direction(fields.text("direction", "forward"));
  submit.source = parse_source(fields);
  submit.device =
      fields.has("device") ? parse_device(fields.text("device")) : submitted_device(submit.source);
  if (fields.has("scope")) submit.scope = parse_scope(Fields(fields.at("scope"), "scope"));
  submit.bench = fields.flag("bench", true);
  submit.sanitize = fields.flag("sanitize", true);
  read_judge(fields, submit);
  if (fields.has("rivals")) submit.rivals = parse_rivals(fields.at("rivals"));
  if (!submit.rivals.empty() && !submit.bench) {
    throw UserError("rivals are for timing, and 'bench' is false; leave one of the two out");
  }
  return submit;
}

std::string parse_id(const Fields& fields) {
  std::string id = fields.text("id");
  if (id.empty() || id.size() > max_id_bytes) {
    fields.refuse("id", fmt::format("it has {} bytes; give 1 to {}", id.size(), max_id_bytes));
  }
  return id;
}

}  // namespace

ClientRequest parse_client_request(const json& object) {
  std::optional<std::string> submit_id;
  try {
    const Fields fields(object, "the line");
    const std::string type = fields.text("type");
    if (type == "hello") {
      fields.allow({"type"});
      return HelloRequest{};
    }
    if (type == "cancel") {
      fields.allow({"type", "id"});
      return CancelRequest{parse_id(fields)};
    }
    if (type != "submit") fields.refuse("type", "give hello, submit or cancel");
    submit_id = parse_id(fields);
    return parse_submit(*submit_id, fields);
  } catch (const UserError& error) {
    throw BadRequest(error.what(), submit_id);
  }
}

}  // namespace robust_kbench

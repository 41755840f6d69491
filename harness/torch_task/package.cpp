#include "torch_task/package.hpp"

#include <algorithm>

#include "core/case.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "torch_task/package_point.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* format_name = "robust-kbench task";
constexpr int known_version = 1;

bool is_task_name(const std::string& name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

struct PackageText {
  json content;
  std::string sha256;
};

PackageText parsed(const fs::path& file) {
  const std::optional<std::string> text = read_text(file);
  if (!text) throw UserError("it cannot be read; name a file that `rkb import` has made");
  json content = parse_json_if_any(*text);
  if (!content.is_object() || content.value("format", json()) != format_name) {
    throw UserError("it is no package of a task; `rkb import` makes one of a PyTorch file");
  }
  if (content.at("version") != known_version) {
    throw UserError(
        fmt::format("its version is {}, and this program reads version {}; import it "
                    "again with this release",
                    content.at("version").dump(), known_version));
  }
  return {std::move(content), sha256(*text)};
}

PackageSource read_source(const json& source) {
  std::string file = source.at("file").get<std::string>();
  if (file.empty() || file.find('/') != std::string::npos || file.front() == '.') {
    throw UserError("source '" + file + "' is no name of a file without directory");
  }
  return {std::move(file), source.at("text").get<std::string>()};
}

// The import tries each probe. A package that names none was made before it named any.
std::vector<std::string> tried_probes(const json& domain) {
  std::vector<std::string> names;
  for (const Probe probe : all_probes) {
    names.emplace_back(to_string(probe));
    if (probe == Probe::nan_and_infinity) break;
  }
  return domain.value("tried", names);
}

Domain read_domain(const json& domain) {
  Domain read{.inapplicable = {},
              .chooses_among_inputs = domain.value("chooses_among_inputs", false)};
  for (const json& left_out : domain.at("inapplicable")) {
    const auto name = left_out.at("probe").get<std::string>();
    const auto* const probe =
        std::ranges::find(all_probes, name, [](Probe p) { return to_string(p); });
    if (probe == all_probes.end()) throw UserError("probe '" + name + "' is unknown");
    InapplicableProbe one{*probe, left_out.at("reason").get<std::string>()};
    if (left_out.contains("direction")) {
      one.direction = parse_direction(left_out.at("direction").get<std::string>());
    }
    read.inapplicable.push_back(std::move(one));
  }
  const std::vector<std::string> tried = tried_probes(domain);
  for (const Probe probe : all_probes) {
    if (std::ranges::find(tried, to_string(probe)) != tried.end()) continue;
    read.inapplicable.push_back({probe, "the import did not try it; import the task again"});
  }
  return read;
}

std::vector<Params> read_drawn(const json& drawn, const Params& defaults) {
  std::vector<Params> points;
  for (const auto& [direction, all] : drawn.items()) {
    for (const json& one : all) {
      Params params = read_params(one, defaults);
      if (std::ranges::find(points, params) == points.end()) points.push_back(std::move(params));
    }
  }
  return points;
}

Package read_content(const PackageText& text) {
  const json& content = text.content;
  Package package{.name = content.at("name").get<std::string>(),
                  .summary = content.at("summary").get<std::string>(),
                  .kind = content.at("kind").get<std::string>(),
                  .torch = content.at("made_with").at("torch").get<std::string>(),
                  .sha256 = text.sha256,
                  .out_arguments = content.value("out_arguments", false),
                  .defaults = read_params(content.at("defaults")),
                  .forward_configs = content.at("configs").at("forward"),
                  .backward_configs = content.at("configs").value("backward", json()),
                  .notes = content.value("notes", std::vector<std::string>())};
  if (!is_task_name(package.name)) {
    throw UserError("its name '" + package.name + "' is no identifier of a-z, 0-9 and _");
  }
  package.sources.push_back(read_source(content.at("source")));
  if (content.contains("domain")) package.domain = read_domain(content.at("domain"));
  for (const json& source : content.value("sources", json::array())) {
    package.sources.push_back(read_source(source));
  }
  if (content.contains("backward") && !content.at("backward").is_null()) {
    package.backward_outputs = content.at("backward").at("outputs").get<std::vector<std::string>>();
  }
  for (const json& graph : content.at("graphs")) package.graphs.emplace_back(graph);
  for (const json& point : content.at("points")) {
    package.points.push_back(read_point(point, package));
  }
  if (package.points.empty()) throw UserError("it knows no config");
  package.drawn = read_drawn(content.value("drawn", json::object()), package.defaults);
  package.large = read_drawn(content.value("large", json::object()), package.defaults);
  for (const Params& params : package.drawn) (void)package.point(params);
  for (const Params& params : package.large) (void)package.point(params);
  return package;
}

template <typename Read>
auto reading(const fs::path& file, const Read& read) {
  try {
    return read(parsed(file));
  } catch (const json::exception& error) {
    throw UserError(fmt::format("package {}: {}; import it again", file.string(), error.what()));
  } catch (const UserError& error) {
    throw UserError(fmt::format("package {}: {}", file.string(), error.what()));
  }
}

}  // namespace

at::ScalarType PackagePoint::dtype() const {
  for (const auto* specs : {&inputs, &weights}) {
    for (const TensorSpec& spec : *specs) {
      const at::ScalarType dtype = spec.dtype.value_or(at::kFloat);
      if (spec.present && c10::isFloatingType(dtype)) return dtype;
    }
  }
  return at::kFloat;
}

const PackagePoint& Package::point(const Params& params) const {
  const auto found = std::ranges::find(points, params, &PackagePoint::params);
  if (found != points.end()) return *found;
  const auto shown = [&](const Params& wanted) {
    std::string text;
    for (const auto& [key, value] : wanted.values()) {
      text += (text.empty() ? "" : ",") + key + "=" + to_string(value);
    }
    return text;
  };
  throw UserError(
      fmt::format("task '{}' was imported without the config {}; it knows {} others, "
                  "such as {}; import it again with --config {}",
                  name, shown(params), points.size(), shown(points.front().params), shown(params)));
}

Package read_package(const fs::path& file) {
  return reading(file, read_content);
}

std::string torch_of_package(const fs::path& file) {
  return reading(file, [](const PackageText& text) {
    return text.content.at("made_with").at("torch").get<std::string>();
  });
}

}  // namespace robust_kbench

#include "report/html_page.hpp"

#include <array>
#include <optional>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "report/script_json.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The parts of the page's script. Each uses those before it.
constexpr std::array script_files{"elements.js",      "tables.js", "code.js",
                                  "chart_options.js", "charts.js", "page.js"};

std::string part(const PagePaths& paths, const char* name) {
  const std::filesystem::path file = paths.sources / name;
  std::optional<std::string> text = read_text(file);
  if (text) return *text;
  throw HarnessError("page file " + file.string() +
                     " cannot be read; it belongs to the program's sources, so get these again");
}

std::string script_of(const PagePaths& paths) {
  std::string script;
  for (const char* name : script_files) script += part(paths, name);
  return script;
}

}  // namespace

std::string html_page(const nlohmann::json& page, const PagePaths& paths,
                      const ChartLibrary& library) {
  const std::string style = part(paths, "page.css");
  const std::string script = script_of(paths);
  const std::string data = script_json(page);
  // No text within the page can know a hash of the whole.
  const std::string nonce = sha256(style + script + library.script + data);
  return fmt::format(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-{0}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>RobustKBench</title>
<style>
{1}</style>
</head>
<body>
<main><noscript>This page is made by its own script, which this browser does not run.</noscript></main>
<script type="application/json" id="data">{2}</script>
<script nonce="{0}">
{3}
</script>
<script nonce="{0}">
{4}</script>
</body>
</html>
)",
                     nonce, style, data, library.script, script);
}

}  // namespace robust_kbench

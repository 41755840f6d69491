#include "evolve/starts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "evolve/tuning_file.hpp"
#include "prompt/local_headers.hpp"
#include "source/source_error.hpp"
#include "tune/tunables.hpp"

namespace robust_kbench {
namespace {

std::string text_of(const std::string& path) {
  std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("the kernel's source '" + path + "' cannot be read");
  return *std::move(text);
}

// The declarations of the file beside the source. Throws UserError where source or file cannot be
// tuned as they say.
TunableDeclarations declarations_for(const std::string& path, const std::string& text) {
  TunableDeclarations declarations = tuning_file_beside(path).value_or(TunableDeclarations{});
  try {
    (void)TunableSpace::of(text, {}, declarations);
  } catch (const SourceError& error) {
    throw UserError(path + ", or the tuning file beside it: " + error.what());
  }
  return declarations;
}

// Names that records and figures give to others than starts.
constexpr std::array reserved{"kernel",  "parent", "registered", "eager",
                              "compile", "graph",  "empty"};

// Only the task's plain kernel is `plain`, and only a translation `translated`.
std::string own_name(const std::string& name, const std::vector<Candidate>& starts,
                     const std::vector<std::string>& others) {
  const auto is_taken = [&](const std::string& wanted) {
    return std::ranges::find(reserved, wanted) != reserved.end() ||
           std::ranges::find(others, wanted) != others.end() ||
           std::ranges::find(starts, wanted, &Candidate::name) != starts.end();
  };
  std::string own = name;
  for (int number = 2; is_taken(own); ++number) own = name + "_" + std::to_string(number);
  return own;
}

// A digest of the way in which a start is registered, and of all else that it is compiled from.
std::string identity_of(const Candidate& start) {
  const KernelSource& kernel = start.kernel;
  nlohmann::json all{{"text", start.hash},
                     {"definitions", kernel.definitions},
                     {"options", kernel.options},
                     {"libraries", kernel.libraries}};
  if (!kernel.entry_point.empty()) all["entry_point"] = kernel.entry_point;
  for (auto further = kernel.sources.begin() + 1; further < kernel.sources.end(); ++further) {
    all["sources"].push_back(sha256(text_of(*further)));
  }
  for (const LocalHeader& header : local_headers({kernel})) {
    all["headers"][header.name] = sha256(header.text);
  }
  return sha256(all.dump());
}

}  // namespace

nlohmann::json identities_of(const std::vector<Candidate>& starts) {
  nlohmann::json all = nlohmann::json::object();
  for (const Candidate& start : starts) {
    // A model wrote the translation, and may name any header of this machine.
    all[start.name] = start.name == translated_start ? start.hash : identity_of(start);
  }
  return all;
}

std::vector<Candidate> starts_of(const Manifest& manifest, const Entry& entry, Device device,
                                 const std::vector<KernelSource>& further) {
  std::vector<Candidate> starts;
  const auto add = [&](KernelSource kernel, const std::string& name,
                       const std::vector<std::string>& others) {
    std::string text = text_of(kernel.sources.front());
    std::string hash = sha256(text);
    TunableDeclarations declarations = declarations_for(kernel.sources.front(), text);
    starts.push_back({.id = static_cast<std::int64_t>(starts.size()) + 1,
                      .name = own_name(name, starts, others),
                      .text = std::move(text),
                      .hash = std::move(hash),
                      .kernel = std::move(kernel),
                      .declarations = std::move(declarations)});
  };
  for (const KernelSource& kernel : manifest.kernels_of(entry, device)) {
    add(kernel, kernel.name, {plain_start, translated_start});
  }
  if (const auto plain = manifest.plain_kernel(entry, device)) add(*plain, plain_start, {});
  for (const KernelSource& kernel : further) add(kernel, kernel.name, {plain_start});
  if (starts.empty()) {
    throw UserError("there is no " + std::string(to_string(device)) + " kernel of " + entry.name() +
                    " to begin with; register one, or give --seed-kernel FILE");
  }
  return starts;
}

}  // namespace robust_kbench

#include "evolve/seeds.hpp"

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "evolve/tuning_file.hpp"
#include "source/source_error.hpp"
#include "source/tunables.hpp"

namespace robust_kbench {
namespace {

std::string text_of(const std::string& path) {
  std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("the kernel's source '" + path + "' cannot be read");
  return *std::move(text);
}

// Those of the file beside the source. Throws UserError where source or file cannot be tuned as
// they say.
TunableDeclarations declarations_for(const std::string& path, const std::string& text) {
  TunableDeclarations declarations = tuning_file_beside(path).value_or(TunableDeclarations{});
  try {
    (void)TunableSpace::of(text, {}, declarations);
  } catch (const SourceError& error) {
    throw UserError(path + ", or the tuning file beside it: " + error.what());
  }
  return declarations;
}

}  // namespace

std::vector<Candidate> seeds_of(const Manifest& manifest, const Entry& entry, Device device,
                                const std::vector<KernelSource>& further) {
  std::vector<Candidate> seeds;
  const auto add = [&](KernelSource kernel, const std::string& name) {
    std::string text = text_of(kernel.sources.front());
    std::string hash = sha256(text);
    TunableDeclarations declarations = declarations_for(kernel.sources.front(), text);
    seeds.push_back({.id = static_cast<std::int64_t>(seeds.size()) + 1,
                     .name = name,
                     .text = std::move(text),
                     .hash = std::move(hash),
                     .kernel = std::move(kernel),
                     .declarations = std::move(declarations)});
  };
  for (const KernelSource& kernel : manifest.kernels_of(entry, device)) add(kernel, kernel.name);
  if (const auto plain = manifest.plain_kernel(entry, device)) add(*plain, plain_seed);
  for (const KernelSource& kernel : further) add(kernel, kernel.name);
  if (seeds.empty()) {
    throw UserError("there is no " + std::string(to_string(device)) + " kernel of " + entry.name() +
                    " to begin with; register one, or give --seed-kernel FILE");
  }
  return seeds;
}

}  // namespace robust_kbench

#include "agent/archive/page_of_run.hpp"

#include <filesystem>
#include <vector>

#include "agent/archive/shown_evolution.hpp"
#include "core/manifest.hpp"
#include "core/manifest_places.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Paths below these and a few usual directories are left out of a page.
Scrubber scrubber_of(const Archive& archive, const Program& program) {
  const std::filesystem::path manifest = manifest_file(program.manifest_path);
  return usual_scrubber(archive.directory(), std::filesystem::exists(manifest)
                                                 ? manifest_places(load_manifest(manifest))
                                                 : std::vector<std::string>());
}

}  // namespace

PageOfRun::PageOfRun(const Archive& archive, const std::string& file, const AgentProgram& program)
    : m_archive(archive),
      m_scrubber(scrubber_of(archive, program)),
      m_file(file, program.page, m_scrubber) {}

void PageOfRun::write(const std::string& run) const {
  m_file.write(evolution_page(shown_evolution(m_archive, run, m_scrubber)));
}

}  // namespace robust_kbench

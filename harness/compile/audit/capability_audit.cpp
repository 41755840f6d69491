#include "compile/audit/capability_audit.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compile/audit/gpu_clocks.hpp"
#include "compile/audit/kernel_object.hpp"
#include "compile/audit/source_place.hpp"
#include "compile/audit/symbol_class.hpp"
#include "compile/audit/telling_texts.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

// A guard in torch's headers has this function, which objects hold whether it is called or not. It
// reads the time between events.
constexpr std::string_view torchs_elapsed_time =
    "_ZNK3c104cuda4impl13CUDAGuardImpl11elapsedTimeEPvS3_a";

class Audit {
 public:
  explicit Audit(const OwnSources& sources) : m_sources(sources) {}

  void read_symbols(const std::vector<KernelObject>& objects) {
    std::set<std::string_view> defined;
    for (const KernelObject& object : objects) {
      defined.insert(object.defined().begin(), object.defined().end());
    }
    for (const KernelObject& object : objects) {
      for (const std::string_view symbol : object.undefined()) {
        const bool is_torchs = symbol.starts_with("cudaEventElapsedTime") &&
                               defined.contains(torchs_elapsed_time) && !names_elapsed_time();
        if (!defined.contains(symbol) && !is_torchs) add_symbol(symbol);
      }
      for (const std::string_view symbol : object.shared_data()) add_data(symbol);
    }
  }

  // A kernel may write any instruction into a section that can be written.
  void read_sections(const KernelObject& object) {
    for (const ElfSection& section : object.code()) {
      if ((section.header.sh_flags & SHF_WRITE) == 0) continue;
      add(Capability::system_calls, "code that it may write", {std::string(section.name)});
    }
  }

  void read_instructions(const KernelObject& object, const EnclosedRun& run) {
    for (const AskingInstruction* instruction : asking_instructions(object, run)) {
      add(instruction->capability, std::string(instruction->mnemonic),
          words_of_instruction(instruction->mnemonic));
    }
  }

  void read_ptx(const KernelObject& object) {
    for (const std::string_view ptx : object.ptx()) {
      for (const GpuClock& clock :
           gpu_clocks(ptx, [&](const std::string& file) { return m_sources.has(file); })) {
        const std::filesystem::path file = clock.file;
        add_at(Capability::clocks, clock.reg, {file.filename(), clock.line});
      }
    }
  }

  void read_texts(const KernelObject& object) {
    for (const std::string_view text : object.texts()) {
      if (m_sources.names_file(text)) continue;
      m_asks_for_tensor_maps = m_asks_for_tensor_maps || text.starts_with("cuTensorMapEncode");
      for (const TellingWord& found : telling_words_of_text(text)) {
        add(found.capability, found.word, {found.word});
      }
    }
  }

  void read_sources() {
    for (const SourceText& file : m_sources.files()) {
      if (!may_hold_telling_words(file.text())) continue;
      for (const Token& token : file.tokens()) {
        const bool text = token.kind == TokenKind::string;
        for (const TellingWord& found :
             text ? telling_words_of_text(content_of(token)) : telling_words_of_code(token.text)) {
          add_at(found.capability, found.word, {file.path().filename(), token.line});
        }
      }
    }
  }

  // A kernel that asks the driver for a tensor map and nothing else has to name its function so.
  std::vector<CapabilityUse> uses() && {
    const auto is_driver = [](const CapabilityUse& use) {
      return use.capability == Capability::driver;
    };
    const auto only_asks = [&](const CapabilityUse& use) {
      return !is_driver(use) || use.symbol.starts_with("cudaGetDriverEntryPoint");
    };
    if (m_asks_for_tensor_maps && std::ranges::all_of(m_uses, only_asks)) {
      std::erase_if(m_uses, is_driver);
    }
    return {m_uses.begin(), m_uses.end()};
  }

 private:
  // The text of a string literal without its quotes.
  static std::string_view content_of(const Token& token) {
    const std::size_t open = token.text.find('"');
    return open == std::string_view::npos
               ? token.text
               : token.text.substr(open + 1, token.text.rfind('"') - open - 1);
  }

  [[nodiscard]] bool names_elapsed_time() const {
    const SourcePlace place =
        place_of({"cudaEventElapsedTime", "elapsed_time", "elapsedTime"}, m_sources);
    return place.line != 0;
  }

  void add_symbol(std::string_view symbol) {
    const std::optional<Capability> capability = capability_of_symbol(symbol);
    if (!capability) return;
    const std::string name = plain_name(symbol);
    add(*capability, name, words_of_symbol(name));
  }

  // A kernel that defines a variable of the C library gets that of the library. Any other name is
  // its own.
  void add_data(std::string_view symbol) {
    const std::optional<Capability> capability = capability_of_symbol(symbol);
    if (capability != Capability::other && capability != Capability::harness) add_symbol(symbol);
  }

  void add(Capability capability, const std::string& symbol,
           const std::vector<std::string>& words) {
    add_at(capability, symbol, place_of(words, m_sources));
  }

  // The same word stands in a source and in the object that was made of it.
  void add_at(Capability capability, const std::string& symbol, const SourcePlace& place) {
    const std::string name = escaped_line(symbol);
    if (!m_seen.emplace(capability, name).second) return;
    m_uses.insert({capability, name, escaped_line(place.file), place.line});
  }

  const OwnSources& m_sources;
  std::set<CapabilityUse> m_uses;
  std::set<std::pair<Capability, std::string>> m_seen;
  bool m_asks_for_tensor_maps = false;
};

}  // namespace

std::vector<CapabilityUse> audited_uses(const std::vector<std::filesystem::path>& objects,
                                        const OwnSources& sources, const EnclosedRun& run) {
  std::vector<KernelObject> read;
  read.reserve(objects.size());
  for (const std::filesystem::path& object : objects) read.emplace_back(object);
  Audit audit(sources);
  audit.read_sources();
  audit.read_symbols(read);
  for (const KernelObject& object : read) {
    audit.read_sections(object);
    audit.read_instructions(object, run);
    audit.read_ptx(object);
    audit.read_texts(object);
  }
  return std::move(audit).uses();
}

}  // namespace robust_kbench

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "built_program.hpp"
#include "cli/import/import_report.hpp"
#include "cli/import/import_sources.hpp"
#include "core/error.hpp"
#include "core/manifest.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"
#include "torch_task/package.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A stand-in for the importer does what the text of a source says.
class Importing : public testing::Test {
 protected:
  Importing() : m_toolchain(load_manifest(manifest_of_build()).toolchain) {
    m_toolchain.python = RKB_PYTHON;
    fs::copy(RKB_IMPORTER_STUB, m_program.sources, fs::copy_options::recursive);
    fs::copy_file(RKB_PACKAGE, m_program.sources / "importer" / "package.json");
    fs::create_directories(m_sources);
    m_request.sources = {m_sources};
    m_request.seconds = 60;
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(m_sources / (name + ".py")) << text;
  }

  std::map<std::string, ImportedSource> import() const {
    const ImportPlace place{.program = m_program,
                            .toolchain = m_toolchain,
                            .out = m_directory.path() / "out",
                            .linked = {"layernorm"}};
    std::map<std::string, ImportedSource> by_name;
    int told = 0;
    for (const ImportedSource& source :
         import_sources(place, m_request, [&](const ImportedSource&) { ++told; }, {})) {
      by_name[source.source.name] = source;
    }
    EXPECT_EQ(told, static_cast<int>(by_name.size()));
    return by_name;
  }

  TemporaryDirectory m_directory{"import_test"};
  fs::path m_sources = m_directory.path() / "sources";
  ImporterProgram m_program{.sources = m_directory.path() / "python",
                            .venv = m_directory.path() / "none",
                            .agent = RKB_AGENT_PROGRAM};
  Toolchain m_toolchain;
  ImportRequest m_request;
};

TEST_F(Importing, KeepsPackagesAndTellsRefusals) {
  write("good", "package");
  write("layernorm", "package");
  write("random", "refuse");
  write("wrong", "wrong");
  const auto imported = import();
  EXPECT_EQ(imported.at("good").package, m_directory.path() / "out/good.task.json");
  EXPECT_TRUE(fs::exists(imported.at("good").package));
  EXPECT_FALSE(imported.at("good").is_unchanged);
  EXPECT_EQ(imported.at("random").reason, "it is random");
  EXPECT_EQ(imported.at("random").remedy, "seed it");
  EXPECT_THAT(imported.at("layernorm").reason, HasSubstr("has a task 'layernorm' of its own"));
  EXPECT_THAT(imported.at("wrong").reason, HasSubstr("aten::from_file"));
  EXPECT_FALSE(fs::exists(m_directory.path() / "out/wrong.task.json"));

  std::vector<ImportedSource> rows;
  for (const auto& [name, row] : imported) rows.push_back(row);
  const std::string text = import_text(rows);
  EXPECT_THAT(text, HasSubstr("good       imported  module  forward backward        7  "));
  EXPECT_THAT(text, HasSubstr("random.py is refused: it is random; seed it\n"));
  EXPECT_THAT(text, HasSubstr("good:\n  A note of the import.\n"));
  EXPECT_EQ(import_json(rows)["sources"][0]["state"], "imported");
}

TEST_F(Importing, LeavesUnchangedPackagesAlone) {
  write("good", "package");
  EXPECT_FALSE(import().at("good").is_unchanged);
  EXPECT_TRUE(import().at("good").is_unchanged);
  m_request.configs = {"batch=3"};
  EXPECT_FALSE(import().at("good").is_unchanged);
  write("good", "package ");
  EXPECT_FALSE(import().at("good").is_unchanged);
}

TEST_F(Importing, HandsOutArgumentsOnAndTellsThemApart) {
  write("good", "package");
  EXPECT_FALSE(read_package(import().at("good").package).out_arguments);
  m_request.out_arguments = true;
  const ImportedSource imported = import().at("good");
  EXPECT_FALSE(imported.is_unchanged);
  EXPECT_TRUE(read_package(imported.package).out_arguments);
}

TEST_F(Importing, GoesOnAfterASourceThatEndsIt) {
  write("a", "exit");
  write("b", "package");
  write("c", "hang");
  write("d", "package");
  m_request.seconds = 5;
  const auto imported = import();
  EXPECT_THAT(imported.at("a").reason, HasSubstr("it ended with exit code 3"));
  EXPECT_EQ(imported.at("c").reason, "it took more than 5 s");
  EXPECT_TRUE(fs::exists(imported.at("b").package));
  EXPECT_TRUE(fs::exists(imported.at("d").package));
}

TEST_F(Importing, HappensInASandbox) {
  const std::string sandbox = sandbox_beside(m_toolchain.worker);
  const SandboxFacts& facts = sandbox_facts(sandbox);
  if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "this machine can enclose no files";
  write("curious", "reach out");
  EXPECT_EQ(import().at("curious").reason, "reached []");
}

TEST_F(Importing, SaysWhatIsMissing) {
  const auto message = [&] {
    try {
      (void)import();
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message(), HasSubstr("there is no Python file below"));
  write("good", "package");
  m_program.agent = m_directory.path() / "none";
  EXPECT_THAT(message(), HasSubstr("an import needs " + m_program.agent.string()));
  m_toolchain.python.clear();
  EXPECT_THAT(message(), HasSubstr("-DRobustKBench_PYTHON=PYTHON"));
}

}  // namespace
}  // namespace robust_kbench

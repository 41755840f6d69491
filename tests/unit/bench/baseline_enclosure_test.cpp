#include <caffe2/serialize/inline_container.h>
#include <filesystem>
#include <string>

#include "bench/packages.hpp"
#include "bench/timed_subject.hpp"
#include "core/text_file.hpp"
#include "doubling_task.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Writes an archive like torch's packages, with one file of its model.
void write_package(const fs::path& path, const std::string& library) {
  fs::create_directories(path.parent_path());
  caffe2::serialize::PyTorchStreamWriter archive(path.string());
  archive.writeRecord("data/aotinductor/model/model.wrapper.so", library.data(), library.size());
  archive.writeEndOfFile();
}

class BaselineEnclosure : public testing::Test {
 protected:
  BaselineEnclosure() {
    fs::create_directory(m_programs);
    fs::create_symlink(TEST_WORKER, m_programs / "rkb_worker");
    fs::create_symlink(RKB_SANDBOX, m_programs / "rkb_sandbox");
    m_manifest.toolchain.worker = m_programs / "rkb_worker";
    m_manifest.toolchain.baseline_command = {TEST_BASELINE};
    m_manifest.toolchain.compile_packages = m_directory.path() / "packages";
    m_options.threads = 1;
    m_options.workers = 1;
    fs::remove(HOSTILE_FILE);
  }

  // The error of a baseline whose package is loaded.
  std::string load() {
    const std::vector<Config> configs{m_config};
    const SubjectStarter starter(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu,
                                 configs, 1, m_options);
    const auto subject = starter.baseline("compile", {});
    subject->greet();
    try {
      return subject->load(m_config) ? "loaded" : "there is none";
    } catch (const Rejection& rejection) {
      return with_output(rejection.judgement());
    }
  }

  void write(const std::string& library) {
    write_package(package_path(m_manifest, m_task, Direction::forward, Device::cpu, m_config),
                  library);
  }

  TemporaryDirectory m_directory{"baseline_enclosure"};
  fs::path m_programs = m_directory.path() / "bin";
  Manifest m_manifest;
  const Task m_task = doubling_task();
  const Config m_config{.name = "small/size_1000", .params = m_task.defaults};
  BenchOptions m_options;
};

TEST_F(BaselineEnclosure, KeepsCodeOfAPackageFromFilesAndTheNetwork) {
  const SandboxFacts& facts = sandbox_facts(RKB_SANDBOX);
  if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "this machine can enclose no files";
  write(read_text(HOSTILE_LIBRARY).value());
  const std::string refused = load();
  EXPECT_THAT(refused, HasSubstr("file refused"));
  if (facts.socket_filter) EXPECT_THAT(refused, HasSubstr("socket refused"));
  EXPECT_FALSE(fs::exists(HOSTILE_FILE));

  // Without a sandbox beside the worker the attack works.
  fs::remove(m_programs / "rkb_sandbox");
  EXPECT_THAT(load(), HasSubstr("file written, socket made"));
  EXPECT_TRUE(fs::exists(HOSTILE_FILE));
  fs::remove(HOSTILE_FILE);
}

TEST_F(BaselineEnclosure, NamesAFileThatIsNoPackage) {
  EXPECT_EQ(load(), "there is none");
  write("no library");
  EXPECT_THAT(load(), HasSubstr("torch cannot load the package"));
  write_package(package_path(m_manifest, m_task, Direction::forward, Device::cpu, m_config), "");
  EXPECT_THAT(load(), HasSubstr("torch cannot load the package"));
}

}  // namespace
}  // namespace robust_kbench

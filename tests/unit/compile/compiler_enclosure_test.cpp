#include "compile/compiler_enclosure.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/kernel_places.hpp"
#include "kernel_builder.hpp"
#include "process/sandbox_facts.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class CompilerEnclosure : public testing::Test {
 protected:
  void SetUp() override {
    const SandboxFacts& facts = sandbox_facts(sandbox_beside(RKB_WORKER));
    if (facts.landlock == 0 && !facts.view) GTEST_SKIP() << "nothing here restricts files";
    std::ofstream(m_secret) << "text_of_the_user is secret\n";
  }

  const TemporaryDirectory m_elsewhere{"elsewhere"};
  const std::string m_secret = m_elsewhere.path() / "secret.hpp";
  KernelBuilder m_builder;
};

TEST_F(CompilerEnclosure, KeepsTheTextOfOtherFilesOutOfTheError) {
  for (const std::string& file :
       {m_secret, std::string("/etc/passwd"), std::string("/proc/self/environ")}) {
    const BuildRecord record = m_builder.build(identity_kernel("#include \"" + file + "\"\n"));
    EXPECT_EQ(record.judgement.verdict, Verdict::compile_error) << file;
    EXPECT_THAT(record.judgement.reason, HasSubstr(file + ": "));
    for (const char* text : {"text_of_the_user", "root", "PATH="}) {
      EXPECT_THAT(record.judgement.reason, Not(HasSubstr(text)));
    }
  }
}

TEST_F(CompilerEnclosure, TakesHeadersBesideTheSource) {
  m_builder.write("beside.hpp", "inline int beside() { return 1; }\n");
  const BuildRecord record = m_builder.build(identity_kernel("#include \"beside.hpp\"\n"));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
}

TEST_F(CompilerEnclosure, TakesHeadersThatRelativeNamesLeadTo) {
  const std::string up = "../" + m_elsewhere.path().filename().string() + "/";
  std::ofstream(m_elsewhere.path() / "header.hpp") << "#include \"further.hpp\"\n";
  std::ofstream(m_elsewhere.path() / "further.hpp") << "inline int further() { return 1; }\n";
  std::ofstream(m_elsewhere.path() / "key.txt") << "text_of_the_user is secret\n";
  const BuildRecord header =
      m_builder.build(identity_kernel("#include \"" + up + "header.hpp\"\n"));
  EXPECT_EQ(header.judgement.verdict, Verdict::pass) << header.judgement.reason;
  const BuildRecord key = m_builder.build(identity_kernel("#include \"" + up + "key.txt\"\n"));
  EXPECT_EQ(key.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(key.judgement.reason, Not(HasSubstr("text_of_the_user")));
}

TEST(KernelPlaces, AreOnlyHeadersWhereTheSourceLiesAtHome) {
  const TemporaryDirectory home("home");
  const std::string source = home.path() / "kernel.cpp";
  const std::string header = home.path() / "kernel.hpp";
  const std::string key = home.path() / "key.txt";
  for (const std::string& file : {source, header, key}) std::ofstream(file) << "\n";
  const std::string before = std::getenv("HOME");
  setenv("HOME", home.path().c_str(), 1);
  const auto places = source_places({.sources = {source}});
  // The kernel is a proposal of a run whose seed lies in the home directory.
  const auto places_of_proposal =
      source_places({.sources = {"/run/7/kernel.cpp"}, .include_directories = {home.path()}});
  setenv("HOME", before.c_str(), 1);
  EXPECT_THAT(places, testing::UnorderedElementsAre(source, header));
  EXPECT_THAT(places_of_proposal, testing::UnorderedElementsAre("/run/7", header));
}

TEST(KernelPlaces, AreOnlyHeadersAndLibrariesOfAHomeThatALinkNames) {
  const TemporaryDirectory home("home");
  const TemporaryDirectory links("links");
  const std::string link = links.path() / "home";
  const std::string library = home.path() / "libone.so.1";
  const std::string header = home.path() / "one.hpp";
  const std::string key = home.path() / "key.txt";
  std::filesystem::create_directory_symlink(home.path(), link);
  for (const std::string& file : {library, header, key}) std::ofstream(file) << "\n";
  const std::string before = std::getenv("HOME");
  setenv("HOME", link.c_str(), 1);
  const auto places =
      source_places({.options = {"-I" + home.path().string()}, .libraries = {library}});
  setenv("HOME", before.c_str(), 1);
  EXPECT_THAT(places, testing::UnorderedElementsAre(library, header));
}

TEST(KernelPlaces, AreThoseOfItsLibraries) {
  const auto places =
      library_places({.options = {"-L/opt/one", "-O3"},
                      .libraries = {"/opt/two/libtwo.so", "-Wl,-rpath,/opt/three"}});
  EXPECT_THAT(places, testing::UnorderedElementsAre("/opt/one", "/opt/two", "/opt/three"));
}

}  // namespace
}  // namespace robust_kbench

#include "runs/run_kind.hpp"

#include "core/error.hpp"
#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr RunKind kinds[]{RunKind::evolution, RunKind::translation, RunKind::verification,
                          RunKind::verifier_tuning, RunKind::judgement};

class RunKindTest : public RunFixture {
 protected:
  static RunSubject subject_of(RunKind kind) {
    if (kind != RunKind::evolution && kind != RunKind::translation) {
      return subject_of_any_entry(kind, Device::cpu);
    }
    return {.kind = kind, .entry = {"mnist_pool", Direction::backward}, .device = Device::cpu};
  }
};

TEST_F(RunKindTest, IsReadFromTheArchive) {
  for (const RunKind kind : kinds) {
    const RunRow run = m_archive.run(begin_run(m_archive, subject_of(kind), {}));
    EXPECT_EQ(kind_of(run), kind) << run.id;
    EXPECT_NO_THROW(require_subject(run, subject_of(kind)));
  }
}

TEST_F(RunKindTest, KeepsTheSettingsOfEach) {
  const EvolutionSettings settings = manual_settings();
  for (const RunKind kind : kinds) {
    const RunRow run = m_archive.run(begin_run(m_archive, subject_of(kind), settings));
    EXPECT_EQ(settings_of_run(run), settings) << run.id;
  }
}

TEST_F(RunKindTest, OfAnotherCommandIsToldByWhichItGoesOn) {
  const RunRow run = m_archive.run(begin_run(m_archive, subject_of(RunKind::translation), {}));
  try {
    require_kind(run, RunKind::evolution);
    FAIL() << "it is a translation";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is no evolution; go on with it by: "));
    EXPECT_THAT(error.what(), HasSubstr("translate --task mnist_pool --direction backward"));
  }
}

TEST_F(RunKindTest, OfAnotherDeviceIsRefused) {
  const RunRow run = m_archive.run(begin_run(m_archive, subject_of(RunKind::judgement), {}));
  EXPECT_THROW(require_subject(run, subject_of_any_entry(RunKind::judgement, Device::cuda)),
               UserError);
}

}  // namespace
}  // namespace robust_kbench

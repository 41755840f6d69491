#pragma once

#include <optional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "worker/kernel_subject.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

// A result as a test wants to compare it: the elements in the order of the indices, as doubles.
struct Output {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  int dtype = 0;
  std::vector<double> values;
};

// Lays out an arena as a broker does, with room for inputs, and puts values there.
class TestInputs {
 public:
  explicit TestInputs(Arena& arena);

  [[nodiscard]] const Arena& arena() const { return m_arena; }
  ArgumentValue floats(std::vector<std::int64_t> sizes, const std::vector<float>& values);
  // 0, 1, 2, ...
  ArgumentValue counting(std::vector<std::int64_t> sizes);
  [[nodiscard]] Output read(const ResultValue& result) const;

 private:
  Arena& m_arena;
  std::size_t m_next;
};

// A shim kernel, run in this process.
class KernelTest : public testing::Test {
 protected:
  KernelTest() : m_memory(m_arena), m_subject(m_arena) {}

  Loaded load(const std::string& kernel, const std::string& entry) {
    return m_subject.load({std::string(SHIM_KERNELS) + kernel + ".so", entry});
  }
  std::vector<ResultValue> call(const std::string& kernel, const std::string& entry,
                                std::vector<ArgumentValue> arguments);
  std::vector<Output> call_tensors(const std::string& kernel, const std::string& entry,
                                   std::vector<ArgumentValue> arguments);
  // Returns the error of a load or call that fails.
  SubjectError failure(const std::string& kernel, const std::string& entry,
                       std::vector<ArgumentValue> arguments = {});

  Arena m_arena = Arena::create(std::size_t{16} << 20);
  TestInputs m_memory;
  KernelSubject m_subject;
};

// A shim kernel, run in a worker of its own as the suite starts it.
class WorkerTest : public testing::Test {
 protected:
  void start(bool gpu);
  // Returns the results of one call. There are none where it failed, and m_failure says how.
  std::vector<ResultValue> call(const std::string& library, const std::string& entry,
                                std::vector<ArgumentValue> arguments);
  std::vector<Output> read(const std::vector<ResultValue>& results) const;

  std::optional<WorkerProcess> m_worker;
  std::optional<TestInputs> m_inputs;
  Judgement m_failure;
};

}  // namespace robust_kbench

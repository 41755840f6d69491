#pragma once

#include <optional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "worker/kernel_subject.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {

// A result in a form that tests can compare: the elements in the order of their indices, as
// doubles.
struct Output {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  int dtype = 0;
  std::vector<double> values;
};

// Lays out an arena with room for inputs, as a broker does, and puts values there.
class TestInputs {
 public:
  explicit TestInputs(Arena& arena);

  [[nodiscard]] const Arena& arena() const { return m_arena; }
  ArgumentValue floats(std::vector<std::int64_t> sizes, const std::vector<float>& values);
  // A tensor of 0, 1, 2, ...
  ArgumentValue counting(std::vector<std::int64_t> sizes);
  [[nodiscard]] Output read(const ResultValue& result) const;

 private:
  Arena& m_arena;
  std::size_t m_next;
};

// Runs a kernel with the shim's headers in this process.
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
  // Returns the error of a load or call that must fail.
  SubjectError failure(const std::string& kernel, const std::string& entry,
                       std::vector<ArgumentValue> arguments = {});

  Arena m_arena = Arena::create(std::size_t{16} << 20);
  TestInputs m_memory;
  KernelSubject m_subject;
};

// Runs a kernel with the shim's headers in a worker, as the suite does.
class WorkerTest : public testing::Test {
 protected:
  void start(bool gpu);
  // Returns the results of one call. If it failed, there are none, and m_failure says why.
  std::vector<ResultValue> call(const std::string& library, const std::string& entry,
                                std::vector<ArgumentValue> arguments);
  std::vector<Output> read(const std::vector<ResultValue>& results) const;

  std::optional<WorkerProcess> m_worker;
  std::optional<TestInputs> m_inputs;
  Judgement m_failure;
};

}  // namespace robust_kbench

#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// The calls of a batch and their results, and how messages write them. What the calls have in
// common is written once. They differ only in where their tensors lie, and a batch may hold
// thousands.
namespace robust_kbench {

// A strided tensor in the arena.
struct TensorRef {
  std::uint64_t offset = 0;  // bytes from the arena's start to element 0
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // elements
  int dtype = 6;                      // rkb_dtype / c10::ScalarType
  int device_type = 0;                // rkb_device_type
};

struct None {};

// A contiguous tensor that the worker makes for each call, and hands to the kernel as it is
// allocated. It is an output.
struct OutputTensor {
  std::vector<std::int64_t> sizes;
  int dtype = 6;  // rkb_dtype / c10::ScalarType
};

struct ArgumentValue;
using ArgumentTuple = std::vector<ArgumentValue>;
using IntegerList = std::vector<std::int64_t>;

struct ArgumentValue {
  std::variant<None, TensorRef, std::int64_t, double, bool, IntegerList, ArgumentTuple,
               OutputTensor>
      value;
};

struct Call {
  std::vector<ArgumentValue> arguments;
};

// One result of a kernel: None, a tensor, or a number (which no task expects).
using ResultValue = std::variant<None, TensorRef, std::int64_t, double, bool>;

struct CallResult {
  std::vector<ResultValue> outputs;
  std::uint64_t span_ns = 0;  // claimed
};

// Writes {"arguments": [...], "offsets": [[...], ...]}. The arguments are common to all calls. Each
// call has a list of offsets of its tensors, in the order of the arguments. Throws HarnessError
// where calls differ in their number of tensors.
nlohmann::json encode_calls(const std::vector<Call>& calls);
std::vector<Call> decode_calls(const nlohmann::json& json);

// Writes {"layouts": [[...], ...], "calls": [[span, layout, offset...], ...]}. Each distinct list
// of outputs is written once. Each call has its claimed span, the index of its list, and the
// offsets of its tensors.
nlohmann::json encode_results(const std::vector<CallResult>& results);
// Untrusted: throws HarnessError on anything malformed.
std::vector<CallResult> decode_results(const nlohmann::json& json);

}  // namespace robust_kbench

#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

// The calls of a batch and their results, and their form in messages. The common parts of calls are
// written once, since a batch may have thousands of calls. Only the offsets of their tensors
// differ.
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

// An output: a contiguous tensor that the worker allocates for each call, and hands to the kernel
// uninitialised.
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

// The tensors among the arguments, also those in tuples, in the order of `offsets` in messages.
std::vector<TensorRef> tensors_of(const Call& call);

// One result of a kernel: None, a tensor, or a number, which no task expects.
using ResultValue = std::variant<None, TensorRef, std::int64_t, double, bool>;

struct CallResult {
  std::vector<ResultValue> outputs;
  std::uint64_t span_ns = 0;  // as the worker claims
};

// Writes {"arguments": [...], "offsets": [[...], ...]}. The arguments are common to all calls. Each
// call has a list of its tensors' offsets, in the order of the arguments. Throws HarnessError if
// calls have different numbers of tensors.
nlohmann::json encode_calls(const std::vector<Call>& calls);
std::vector<Call> decode_calls(const nlohmann::json& json);

// Writes {"layouts": [[...], ...], "calls": [[span, layout, offset...], ...]}. Each distinct list
// of output layouts is written once. A call has its claimed span, the index of its list, and the
// offsets of its tensors.
nlohmann::json encode_results(const std::vector<CallResult>& results);
// Reads an untrusted message: throws HarnessError for anything malformed.
std::vector<CallResult> decode_results(const nlohmann::json& json);

}  // namespace robust_kbench

#pragma once

#include <cstdint>
#include <initializer_list>
#ifndef RKB_WITHOUT_STRING
#include <string>
#endif

#include <robust_kbench/shim/array_ref.h>

namespace rkb {

class Device;
class Scalar;
class Tensor;
class TensorOptions;
enum class DeviceType : std::int8_t;
enum class Layout : std::int8_t;
enum class MemoryFormat : std::int8_t;
enum class ScalarType : std::int8_t;

// One part of a message: a text, a number or a value of the shim. It borrows its content, so that a
// check costs its caller only the addresses.
class MessagePart {
 public:
  MessagePart(const char* text) : m_kind(Kind::text), m_text(text) {}
  MessagePart(char character) : m_kind(Kind::character), m_integer(character) {}
  MessagePart(bool value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(signed char value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(unsigned char value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(short value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(unsigned short value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(int value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(unsigned value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(long value) : MessagePart(static_cast<long long>(value)) {}
  MessagePart(unsigned long value) : MessagePart(static_cast<unsigned long long>(value)) {}
  MessagePart(long long value) : m_kind(Kind::integer), m_integer(value) {}
  MessagePart(unsigned long long value) : m_kind(Kind::natural), m_natural(value) {}
  MessagePart(float value) : MessagePart(static_cast<double>(value)) {}
  MessagePart(double value) : m_kind(Kind::real), m_real(value) {}
  MessagePart(ScalarType type) : m_kind(Kind::dtype), m_integer(static_cast<long long>(type)) {}
  MessagePart(DeviceType type)
      : m_kind(Kind::device_type), m_integer(static_cast<long long>(type)) {}
  MessagePart(Layout) : MessagePart("Strided") {}
  MessagePart(MemoryFormat format)
      : m_kind(Kind::memory_format), m_integer(static_cast<long long>(format)) {}
  MessagePart(const Device& device) : m_kind(Kind::device), m_device(&device) {}
  MessagePart(const Scalar& number) : m_kind(Kind::scalar), m_scalar(&number) {}
  MessagePart(const TensorOptions& options) : m_kind(Kind::options), m_options(&options) {}
  MessagePart(const Tensor& tensor) : m_kind(Kind::tensor), m_tensor(&tensor) {}
  MessagePart(IntArrayRef sizes) : m_kind(Kind::sizes), m_sizes(sizes) {}
#ifndef RKB_WITHOUT_STRING
  MessagePart(const std::string& text) : MessagePart(text.c_str()) {}
#endif
#ifndef RKB_WITHOUT_VECTOR
  MessagePart(const std::vector<std::int64_t>& sizes) : MessagePart(IntArrayRef(sizes)) {}
#endif

 private:
  friend class MessageWriter;
  enum class Kind : std::uint8_t {
    text,
    character,
    integer,
    natural,
    real,
    dtype,
    device_type,
    memory_format,
    device,
    scalar,
    options,
    tensor,
    sizes
  };

  Kind m_kind;
  union {
    const char* m_text;
    long long m_integer;
    unsigned long long m_natural;
    double m_real;
    const Device* m_device;
    const Scalar* m_scalar;
    const TensorOptions* m_options;
    const Tensor* m_tensor;
    IntArrayRef m_sizes;
  };
};

// The parts of a message in their order. They live for the length of one call.
using Message = std::initializer_list<MessagePart>;

}  // namespace rkb

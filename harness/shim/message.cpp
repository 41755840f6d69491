#include "shim/message.hpp"

#include <cstdio>

#include <robust_kbench/shim/stream.h>
#include <robust_kbench/shim/tensor.h>

namespace rkb {
namespace {

// The name by which torch prints the dtype of options: that of its C++ type.
const char* type_name(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "unsigned char";
    case ScalarType::Char:
      return "signed char";
    case ScalarType::Short:
      return "short int";
    case ScalarType::Int:
      return "int";
    case ScalarType::Long:
      return "long int";
    case ScalarType::Half:
      return "c10::Half";
    case ScalarType::Float:
      return "float";
    case ScalarType::Double:
      return "double";
    case ScalarType::Bool:
      return "bool";
    case ScalarType::BFloat16:
      return "c10::BFloat16";
    case ScalarType::Undefined:
      break;
  }
  return "nullptr (uninitialized)";
}

const char* format_name(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Contiguous:
      return "Contiguous";
    case MemoryFormat::Preserve:
      return "Preserve";
    case MemoryFormat::ChannelsLast:
      return "ChannelsLast";
    case MemoryFormat::ChannelsLast3d:
      break;
  }
  return "ChannelsLast3d";
}

}  // namespace

class MessageWriter {
 public:
  void write(const MessagePart& part) {
    using Kind = MessagePart::Kind;
    switch (part.m_kind) {
      case Kind::text:
        m_text += part.m_text == nullptr ? "(null)" : part.m_text;
        break;
      case Kind::character:
        m_text += static_cast<char>(part.m_integer);
        break;
      case Kind::integer:
        m_text += std::to_string(part.m_integer);
        break;
      case Kind::natural:
        m_text += std::to_string(part.m_natural);
        break;
      case Kind::real:
        write(part.m_real);
        break;
      case Kind::dtype:
        m_text += toString(static_cast<ScalarType>(part.m_integer));
        break;
      case Kind::device_type:
        m_text += Device(static_cast<DeviceType>(part.m_integer)).str();
        break;
      case Kind::memory_format:
        m_text += format_name(static_cast<MemoryFormat>(part.m_integer));
        break;
      case Kind::scalar:
        write(*part.m_scalar);
        break;
      case Kind::options:
        write(*part.m_options);
        break;
      case Kind::device:
        m_text += part.m_device->str();
        break;
      case Kind::tensor:
        write(*part.m_tensor);
        break;
      case Kind::sizes:
        write(part.m_sizes);
        break;
    }
  }

  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  void write(double value) {
    char digits[32];
    m_text.append(digits,
                  static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%g", value)));
  }
  void write(IntArrayRef values) {
    m_text += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) m_text += ", ";
      m_text += std::to_string(values[i]);
    }
    m_text += ']';
  }
  void write(const Scalar& number) {
    if (number.isFloatingPoint()) {
      write(number.toDouble());
    } else {
      m_text += std::to_string(number.toLong());
    }
  }
  void write(const TensorOptions& options) {
    const auto defaulted = [](bool has) { return has ? "" : " (default)"; };
    constexpr const char* not_kept =
        ", requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))";
    // Options of a tensor have a layout, which ours do not store. Options with dtype and device
    // count as a tensor's.
    m_text += rkb::text({"TensorOptions(dtype=", type_name(options.dtype()),
                         defaulted(options.has_dtype()), ", device=", options.device(),
                         defaulted(options.has_device()), ", layout=", options.layout(),
                         defaulted(options.has_dtype() && options.has_device()), not_kept});
  }
  void write(const Tensor& tensor) {
    if (!tensor.defined()) {
      m_text += "[ undefined tensor ]";
      return;
    }
    m_text +=
        rkb::text({"[ ", tensor.device(), tensor.scalar_type(), "Type", tensor.sizes(), " ]"});
  }

  std::string m_text;
};

std::string text(Message message) {
  MessageWriter writer;
  for (const MessagePart& part : message) writer.write(part);
  return writer.text();
}

void write_text(void (*write)(void* stream, const char* text), void* stream, Message message) {
  write(stream, text(message).c_str());
}

}  // namespace rkb

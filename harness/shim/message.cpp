#include "shim/message.hpp"

#include <cstdio>

#include <robust_kbench/shim/tensor.h>

namespace rkb {

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

}  // namespace rkb

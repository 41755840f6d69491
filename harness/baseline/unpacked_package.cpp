#include "baseline/unpacked_package.hpp"

#include <caffe2/serialize/inline_container.h>
#include <fstream>
#include <string_view>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The place of a model's files in a package, which holds one model that torch calls "model".
constexpr std::string_view files_of_model = "data/aotinductor/model/";

}  // namespace

UnpackedPackage::UnpackedPackage(const std::string& package) {
  caffe2::serialize::PyTorchStreamReader archive(package);
  for (const std::string& record : archive.getAllRecords()) {
    if (!record.starts_with(files_of_model)) continue;
    const fs::path file = directory() / fs::path(record).filename();
    const auto [content, bytes] = archive.getRecord(record);
    std::ofstream out(file, std::ios::binary);
    out.write(static_cast<const char*>(content.get()), static_cast<std::streamsize>(bytes));
    if (!out.flush()) throw HarnessError("cannot write " + file.string());
    if (file.extension() == ".so") m_library = file;
  }
  if (m_library.empty()) throw HarnessError("it holds no shared object");
}

}  // namespace robust_kbench

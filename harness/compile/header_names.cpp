#include "compile/header_names.hpp"

#include <filesystem>
#include <fstream>

#include "compile/append.hpp"
#include "compile/standard_flags.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {

DeclaredNames names_of_header(const std::string& header, Device device, const Headers& headers,
                              LibraryBuild& build) {
  const bool cuda = device == Device::cuda;
  const std::filesystem::path source = build.directory() / (cuda ? "names.cu" : "names.cpp");
  const std::filesystem::path output = build.directory() / "names.ii";
  std::ofstream(source) << "#include <" << header << ">\n";
  std::vector<std::string> command{compiler_of(build.job().toolchain, device)};
  append(command, standard_flags(device, false));
  append(command, headers.include_flags);
  append(command, {"-E", cuda ? "-Xcompiler=-dD" : "-dD", source, "-o", output});
  (void)build.run(command, headers);
  return declared_names(read_text(output).value_or(""));
}

}  // namespace robust_kbench

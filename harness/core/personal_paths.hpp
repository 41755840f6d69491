#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// Finds the paths in a text that identify a person or a machine.
class PersonalPaths {
 public:
  // Personal paths are those below `directories`, below the usual places of people's files and
  // below `places`, which end in '/'. Paths below `~/` are personal, too, and those with the name
  // of one of `people` as a part.
  PersonalPaths(std::vector<std::string> directories, std::vector<std::string> people,
                std::vector<std::string> places = {});

  // The personal path that begins there, or an empty text.
  [[nodiscard]] std::string_view at(std::string_view text, std::size_t begin) const;
  // ".../" and the last part of a path. A directory of ours and a person's home become "...".
  [[nodiscard]] std::string shown(std::string_view path) const;

 private:
  [[nodiscard]] std::size_t directory_size(std::string_view text) const;
  [[nodiscard]] bool lies_in_a_place(std::string_view path) const;
  [[nodiscard]] bool is_person(std::string_view name) const;
  [[nodiscard]] bool has_person(std::string_view path) const;

  std::vector<std::string> m_directories;  // none ends in '/'
  std::vector<std::string> m_people;
  std::vector<std::string> m_places;
};

// The directories in this machine's root in which people's files may lie, each with a '/' at its
// end. Those of the system are left out.
std::vector<std::string> places_of_this_machine();

}  // namespace robust_kbench

#pragma once

#include <string>
#include <vector>

// The places of a run directory, the folder by which a coordinator and its pilots talk.
namespace robust_kbench::run_directory {

inline constexpr const char* coordinator = "coordinator";    // its lease; `free.0`: nobody's
inline constexpr const char* coordinators = "coordinators";  // what coordinators say of themselves
inline constexpr const char* pilots = "pilots";  // what pilots say of themselves, and of their end
inline constexpr const char* leases = "leases";  // of pilots
inline constexpr const char* open = "open";      // jobs that may be claimed
inline constexpr const char* claimed = "claimed";    // jobs by the pilots that have claimed them
inline constexpr const char* done = "done";          // answers, by the pilots that gave them
inline constexpr const char* sessions = "sessions";  // what jobs have in common, and its end
inline constexpr const char* logs = "logs";          // what Slurm's jobs print
// A file that says that pilots may end.
inline constexpr const char* ended_file = "ended";
// What all pilots must know: the source tree, and how long a lease lasts.
inline constexpr const char* terms_file = "terms.json";
// The holder of a coordinator's lease that is free.
inline constexpr const char* nobody = "free";

// The ends of files in `pilots`: what a pilot says of itself, why it has ended, and the lease that
// it has lost.
inline constexpr const char* words_of_pilot = ".json";
inline constexpr const char* end_of_pilot = ".end";
inline constexpr const char* loss_of_pilot = ".lost";

inline std::vector<std::string> all() {
  return {coordinators, pilots, leases, open, claimed, done, sessions, logs};
}

inline std::string in(const char* place, const std::string& name) {
  return std::string(place) + "/" + name;
}

}  // namespace robust_kbench::run_directory

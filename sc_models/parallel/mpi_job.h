#pragma once
// The environment of a process that an MPI launcher has started.

#include <cstdlib>

namespace weft {

/// As Open MPI, and launchers that speak PMI (MPICH's, Slurm's), tell the processes of a job how many they are.
inline constexpr const char* kJobSizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

/// A launcher has started this process, or the one that started it. Before the process leaves the job.
inline bool is_of_job() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
  return is_set(kJobSizes[0]) || is_set(kJobSizes[1]) || is_set("PMIX_RANK");
}

/// Processes of the job; 1 outside.
inline long processes_of_job() {
  for (const char* name : kJobSizes) {
    if (const char* const size = std::getenv(name); size != nullptr) return std::strtol(size, nullptr, 10);
  }
  return 1;
}

}  // namespace weft

#pragma once
// The environment of a process that an MPI launcher has started.

#include <cstdlib>

namespace weft {

/// Processes of the job, as Open MPI, or a launcher that speaks PMI (MPICH's, Slurm's), tells each of them; 1 outside.
inline long processes_of_job() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const size = std::getenv(name); size != nullptr) return std::strtol(size, nullptr, 10);
  }
  return 1;
}

}  // namespace weft

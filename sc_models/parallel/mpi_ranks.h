#pragma once
// Ranks of an MPI job: processes that mpirun has started.

#include <memory>

#include "parallel/ranks.h"

namespace weft {

/// The job that this process belongs to; null when it is a process by itself. The job ends with the object, in which
/// all ranks wait for each other. Throws InputError in a job of several processes when Weft was built without MPI.
std::unique_ptr<Ranks> join_mpi_job();

/// Whether this program can be a rank of an MPI job.
bool built_with_mpi();

}  // namespace weft

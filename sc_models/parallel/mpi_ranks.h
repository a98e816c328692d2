#pragma once
// Ranks of an MPI job: processes that mpirun has started.

#include <memory>

#include "parallel/ranks.h"

namespace weft {

/// The job that this process belongs to; null when it is a process by itself. The job ends with the object, in which
/// all ranks wait for each other. Throws InputError in a job of several processes when Weft was built without MPI.
std::unique_ptr<Ranks> join_mpi_job();

/// This process, and those that it starts, are none of the job's: each does what it does by itself.
void leave_mpi_job();

}  // namespace weft

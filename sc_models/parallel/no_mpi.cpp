// In place of mpi_ranks.cpp and cut_network.cpp where Weft is built without MPI.

#include <cstdlib>

#include "base/diagnostics.h"
#include "parallel/joined_switches.h"
#include "parallel/mpi_job.h"
#include "parallel/mpi_ranks.h"
#include "parallel/part.h"

namespace weft {
namespace {

constexpr const char* kWithout = "this program was built without MPI (WEFT_MPI), so it runs in one process";

}  // namespace

void leave_mpi_job() {
  for (const char* name : kJobSizes) unsetenv(name);
}

std::unique_ptr<Ranks> join_mpi_job() {
  if (processes_of_job() > 1) throw InputError({"mpirun"}, kWithout);
  return nullptr;
}

std::vector<RankId> cut_network(const Graph&, RankId) { throw RunError(kWithout); }
std::vector<RankId> cut_network(const Graph&, RankId, const std::vector<SwitchId>&) { throw RunError(kWithout); }

}  // namespace weft

#include "algorithms/collectives/program.h"

namespace weft {

bool moves_data(ProgramOp op) { return op != ProgramOp::barrier && op != ProgramOp::fence && op != ProgramOp::compute; }

bool uses_root(ProgramOp op) {
  return op == ProgramOp::scatter || op == ProgramOp::gather || op == ProgramOp::broadcast || op == ProgramOp::reduce;
}

bool is_collective(ProgramOp op) {
  return uses_root(op) || op == ProgramOp::barrier || op == ProgramOp::alltoall || op == ProgramOp::allgather ||
         op == ProgramOp::allreduce || op == ProgramOp::reduce_scatter;
}

bool is_reduction(ProgramOp op) {
  return op == ProgramOp::reduce || op == ProgramOp::allreduce || op == ProgramOp::reduce_scatter;
}

}  // namespace weft

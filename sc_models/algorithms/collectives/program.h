#pragma once
// Programs of the nodes of a network, whatever its fabric: sequences of collective and point-to-point operations and of
// computations. OPTWEB executes them as instructions of its command sequencers, packet networks as messages
// (collectives/). The keys are declared in workload/program_schema.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collectives/node_list.h"
#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

/// Instructions as programs have them. `transfer` is the paper's send/rcv as one instruction of an SPMD program.
enum class ProgramOp {
  barrier,
  send,
  recv,
  sendrecv,
  transfer,
  scatter,
  gather,
  broadcast,
  alltoall,
  allgather,
  fence,
  compute,
  reduce,
  allreduce,
  reduce_scatter
};
template <>
inline constexpr auto kWords<ProgramOp> = words("barrier", "send", "recv", "sendrecv", "transfer", "scatter", "gather",
                                                "broadcast", "alltoall", "allgather", "fence", "compute", "reduce",
                                                "allreduce", "reduce_scatter");

/// direct: over the link between two nodes; multipath: scattered over all nodes of the group and gathered again;
/// automatic: multipath from a size on.
enum class ProgramPath { direct, multipath, automatic };
template <>
inline constexpr auto kWords<ProgramPath> = words("direct", "multipath", "automatic");

/// Operation of a reduction on two elements, and the type of elements.
enum class ProgramCombine { sum, min, max };
template <>
inline constexpr auto kWords<ProgramCombine> = words("sum", "min", "max");
enum class ProgramElement { int32, float32 };
template <>
inline constexpr auto kWords<ProgramElement> = words("int32", "float32");
inline constexpr std::uint64_t kElementBytes = 4;

/// One instruction of a program. Addresses are relative (they count within a stripe), sizes are bytes per pair of
/// nodes, of a transfer, broadcast, reduce or allreduce the whole.
struct ProgramInstruction {
  Location where;
  std::string name;  ///< in reports
  ProgramOp op = ProgramOp::barrier;
  NodeList group;                     ///< nodes that take part
  NodeList at;                        ///< nodes that execute it
  std::optional<NodeId> source;       ///< transfer, recv, sendrecv
  std::optional<NodeId> destination;  ///< transfer, send, sendrecv
  std::optional<std::int64_t> shift;  ///< sendrecv: to the node so many places further in the group
  NodeId root = 0;                    ///< scatter, gather, broadcast, reduce
  std::uint64_t bytes = 0;
  std::uint64_t send = 0;
  std::uint64_t receive = 0;
  std::uint64_t scratch = 0;               ///< multipath, several hops: where data rest on the way
  std::uint64_t scratch2 = 0;              ///< after each second hop
  std::optional<Location> scratch_where;   ///< `scratch` stands in the instruction itself
  std::optional<Location> scratch2_where;  ///< `scratch2` does
  ProgramPath path = ProgramPath::direct;
  ProgramCombine combine = ProgramCombine::sum;    ///< reductions
  ProgramElement element = ProgramElement::int32;  ///< reductions
  Cycle cycles = 0;                                ///< compute
  bool waits = true;                               ///< send: the program goes on when the message has left
  bool measured = false;                           ///< written by `measure`, not only there to line the nodes up
};

struct NodeProgram {
  std::string name;  ///< "program", or the nodes it was written for
  NodeList nodes;    ///< that run it
  std::vector<ProgramInstruction> instructions;
};

bool is_reduction(ProgramOp);
/// Scatter, gather, broadcast, reduce.
bool uses_root(ProgramOp);
/// Of a group of nodes, which all take part in the same order; not between two of them.
bool is_collective(ProgramOp);
/// Has a size: all but barrier, fence and compute.
bool moves_data(ProgramOp);

}  // namespace weft

#pragma once
// Checked configuration of an OPTWEB network: the parts of a node and their latencies, the programs of the nodes. The
// keys are declared in config/optweb_schema.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/ids.h"
#include "base/units.h"
#include "config/config.h"

namespace weft {

/// Instructions as programs have them. `transfer` is the paper's send/rcv as one instruction of an SPMD program.
enum class OptwebOp {
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

/// direct: over the link between two nodes; multipath: scattered over all nodes of the group and gathered again;
/// automatic: multipath from a size on.
enum class OptwebPath { direct, multipath, automatic };

/// What a reduction does with two elements, and what elements are.
enum class OptwebCombine { sum, min, max };
enum class OptwebElement { int32, float32 };
inline constexpr std::uint64_t kOptwebElementBytes = 4;

/// data: bytes move; timing: only lengths do.
enum class OptwebMode { data, timing };

enum class OptwebVerify { none, data };

/// full_mesh: a link between every two nodes; dragonfly: within groups, and between the same places of all groups.
enum class OptwebTopology { full_mesh, dragonfly };

/// How the fibres between nodes are built: a cable per pair, a fibre sheet (Parallel Optical Hub), a wavelength router.
enum class OptwebWiring { direct, p_oh, w_oh };

/// One instruction of a program. Addresses are relative (they count within a stripe), sizes are bytes per pair of
/// nodes, of a transfer, broadcast, reduce or allreduce the whole.
struct OptwebInstruction {
  Location where;
  std::string name;  ///< in reports
  OptwebOp op = OptwebOp::barrier;
  std::vector<NodeId> group;          ///< nodes that take part, ascending
  std::vector<NodeId> at;             ///< nodes that execute it, ascending
  std::optional<NodeId> source;       ///< transfer, recv, sendrecv
  std::optional<NodeId> destination;  ///< transfer, send, sendrecv
  std::optional<std::int64_t> shift;  ///< sendrecv: to the node so many places further in the group
  NodeId root = 0;                    ///< scatter, gather, broadcast, reduce
  std::uint64_t bytes = 0;
  std::uint64_t send = 0;
  std::uint64_t receive = 0;
  std::uint64_t scratch = 0;  ///< multipath: where data rests on the way
  OptwebPath path = OptwebPath::direct;
  OptwebCombine combine = OptwebCombine::sum;    ///< reductions
  OptwebElement element = OptwebElement::int32;  ///< reductions
  Cycle cycles = 0;                              ///< compute
  bool measured = false;                         ///< written by `measure`, not only there to line the nodes up
};

struct OptwebProgram {
  std::string name;           ///< "program", or the nodes it was written for
  std::vector<NodeId> nodes;  ///< that run it
  std::vector<OptwebInstruction> instructions;
};

/// Latencies of the parts of a node, cycles of its clock; docs/optweb.md says where each comes from.
struct OptwebLatencies {
  Cycle dispatch = 0;      ///< M_DMAC: from the instruction to the first read request
  Cycle read = 0;          ///< memory: from the request to the first word at R#i
  Cycle write = 0;         ///< memory: from W#i to the acknowledgement that a fence waits for
  Cycle setup = 0;         ///< distributed switch: from the instruction to the paths being set
  Cycle notification = 0;  ///< sending a notification
  Cycle distributor = 0;   ///< sending side, R#i to the N x 1 switches
  Cycle select = 0;        ///< sending side, N x 1 switch to the link
  Cycle gate = 0;          ///< rendezvous: from the last notification to the first word that passes
  Cycle receive = 0;       ///< receiving side, N x N switch
  Cycle counter = 0;       ///< receiving side, word counter
  Cycle notified = 0;      ///< receiving side, register and check of notifications
  Cycle reduce = 0;        ///< receiving side, each level of the reduction unit
  Cycle report = 0;        ///< from a counter or register to the command sequencer
  Cycle transmit = 0;      ///< between switch and link IP, sending
  Cycle link_ip = 0;       ///< link IP, sender and receiver together
  Cycle receive_link = 0;  ///< between link IP and switch, receiving; data-active signal recognized
};

struct OptwebLinkConfig {
  Rate rate;              ///< payload of a link and direction
  std::uint32_t gap = 1;  ///< resting cycles between two runs of the data-active signal
  OptwebWiring wiring = OptwebWiring::direct;
  Duration hub;                ///< delay of the optical hub
  std::int64_t length_cm = 0;  ///< of fibre between two nodes
  Cycle propagation = 0;       ///< fibre and hub
};

struct OptwebConfig {
  std::string file;
  std::string title;
  std::uint64_t seed = 1;
  std::uint32_t nodes = 0;
  std::uint32_t groups = 1;  ///< of a dragonfly; 1: full mesh
  Frequency clock;
  Duration period;
  std::uint32_t word_bytes = 0;
  std::uint64_t interface_bytes = 0;  ///< K: capacity of a memory interface
  std::uint32_t stripes = 0;          ///< memory I/Os, two interfaces each
  Rate interface_rate;                ///< of a memory interface, reading and writing together
  std::uint64_t eager_buffer = 0;     ///< bytes per link
  std::uint32_t sequencer_depth = 0;
  Implementation sequencer = Implementation::model;
  Implementation stripe_address = Implementation::model;
  Implementation link_sync = Implementation::model;
  Location sequencer_where;  ///< of its implementation
  Location stripe_address_where;
  Location link_sync_where;
  OptwebLatencies latencies;
  OptwebLinkConfig link;
  std::uint64_t multipath_from = 0;  ///< bytes from which `automatic` takes all paths
  OptwebMode mode = OptwebMode::data;
  OptwebVerify verify = OptwebVerify::none;
  std::vector<OptwebProgram> programs;  ///< every node runs at most one of them
  bool measures = false;                ///< the program was written by `measure`

  /// Links of a node; it has a DMAC for each, and one for itself.
  std::uint32_t links() const { return nodes / groups + groups - 2; }
};

std::string to_string(OptwebOp);
std::string to_string(OptwebPath);
std::string to_string(OptwebCombine);
std::string to_string(OptwebElement);
bool is_reduction(OptwebOp);
std::string to_string(OptwebTopology);
std::string to_string(OptwebMode);
std::string to_string(OptwebVerify);
std::string to_string(OptwebWiring);

}  // namespace weft

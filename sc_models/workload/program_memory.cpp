// Memory that the messages of programs take while they are under way.

#include <fmt/format.h>

#include "algorithms/collectives/lowering.h"
#include "base/resource_need.h"
#include "workload/program_schema.h"

namespace weft {
namespace {

// Of a message: executor, agenda and fabric; of a packet: fabric. Measured with alltoalls of 256 to 1,024 nodes without
// overheads, in which all messages are under way at once (280 B on an ideal network, 530 B and 120 B per further packet
// on packet networks).
constexpr std::uint64_t kBytesOfMessage = 400;
constexpr std::uint64_t kBytesOfPacket = 130;

}  // namespace

void need_program_memory(const std::vector<NodeProgram>& programs,
                         const std::function<std::uint64_t(std::uint64_t bytes)>& packets,
                         const collectives::CollectiveAlgorithms& algorithms) {
  const collectives::InFlightEstimate most = collectives::messages_at_once(programs, algorithms);
  if (most.instruction == nullptr) return;
  const ProgramInstruction& in = *most.instruction;
  need_memory(most.messages * (kBytesOfMessage + packets(in.bytes) * kBytesOfPacket), in.where,
              fmt::format("this {} has {} messages under way at once, which", to_string(in.op), most.messages));
}

}  // namespace weft

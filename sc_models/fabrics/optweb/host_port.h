#pragma once
// The host's way into a node: a TLM-2.0 base-protocol target with registers and the node's memory.
//
//   kRegisters + 0x000  read   1: the sequencer has nothing left to do
//              + 0x008  read   instructions completed so far
//              + 0x010  write  number of instructions behind the staging registers: 1 appends what stands in them
//              + 0x018  write  any: doorbell, what has been appended is executed
//              + 0x020..0x058  staging registers, in this order: opcode, send address, receive address, size, source,
//                              destination, group, flags (8 bytes each, read and write)
//   kMemory    + address       the memory of the node, 2K bytes per stripe
// Registers are accessed with 8 bytes and take a cycle, which is annotated. Memory accesses go through the 2 x 2
// crossbars beside the DMACs (fabrics/optweb/host_master.h), one after the other: b_transport returns when the access
// is over, so it waits, and is to be called from a thread. A request between two edges of the node's clock is seen at
// the next one.
//
// DMI is granted by pages; it goes past all latencies and takes no bandwidth, and serves for loading data and fetching
// results. While a program is under way, from the doorbell until all that has been appended is completed, it is not
// granted, and what has been granted is taken back, so that nothing goes past the memory interfaces then. Errors:
// TLM_ADDRESS_ERROR_RESPONSE outside of both, TLM_BURST_ERROR_RESPONSE for another length at a register,
// TLM_COMMAND_ERROR_RESPONSE for a register that cannot be read or written, or that does not accept its value,
// TLM_BYTE_ENABLE_ERROR_RESPONSE with byte enables.

#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <systemc>
#include <tlm>

#include "algorithms/optweb/command_sequencer.h"
#include "fabrics/optweb/host_master.h"

namespace weft {

struct HostStatus {
  bool finished = true;
  std::uint32_t completed = 0;
};

class HostPortOwner {
 public:
  virtual ~HostPortOwner() = default;
  virtual void host_pushes(const optweb::MachineInstruction& instruction) = 0;
  virtual void host_starts() = 0;
  virtual HostStatus host_status() const = 0;
};

class HostPort : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t kRegisters = 0;
  static constexpr std::uint64_t kMemory = std::uint64_t{1} << 40;
  static constexpr std::uint64_t kFinished = 0x00;
  static constexpr std::uint64_t kCompleted = 0x08;
  static constexpr std::uint64_t kAppend = 0x10;
  static constexpr std::uint64_t kDoorbell = 0x18;
  static constexpr std::uint64_t kStaging = 0x20;

  HostPort(sc_core::sc_module_name name, Hbm& memory, HostMaster& master, const OptwebParameters& parameters,
           NodeClock& clock, HostPortOwner& owner);
  /// The sequencer has got something to do: DMI is taken back until it is done.
  void program_starts();
  tlm_utils::simple_target_socket_optional<HostPort> socket;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  bool in_memory(const tlm::tlm_generic_payload& payload) const;
  void access_memory(tlm::tlm_generic_payload& payload);
  void wait_for_memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool dmi_allowed() const { return !started_ || owner_.host_status().finished; }
  tlm::tlm_response_status access_register(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value);
  optweb::MachineInstruction staged() const;

  Hbm& memory_;
  HostMaster& master_;
  const OptwebParameters& parameters_;
  NodeClock& clock_;
  sc_core::sc_time cycle_;
  HostPortOwner& owner_;
  bool started_ = false;  // a doorbell has been rung
  bool granted_ = false;  // DMI
  std::array<std::uint64_t, 8> staging_{};
};

}  // namespace weft

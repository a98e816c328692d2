#include "fabrics/optweb/host_port.h"

#include <cstring>
#include <span>
#include <utility>

namespace weft {

HostPort::HostPort(sc_core::sc_module_name name, Hbm& memory, HostMaster& master, const OptwebParameters& parameters,
                   NodeClock& clock, HostPortOwner& owner)
    : sc_module(name),
      socket("socket"),
      memory_(memory),
      master_(master),
      parameters_(parameters),
      clock_(clock),
      cycle_(static_cast<double>(parameters.config->period.ps), sc_core::SC_PS),
      owner_(owner) {
  socket.register_b_transport(this, &HostPort::b_transport);
  socket.register_transport_dbg(this, &HostPort::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &HostPort::get_direct_mem_ptr);
}

bool HostPort::in_memory(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t size = memory_.bytes().size();
  const std::uint64_t address = payload.get_address();
  return address >= kMemory && address - kMemory < size && payload.get_data_length() <= size - (address - kMemory);
}

void HostPort::access_memory(tlm::tlm_generic_payload& payload) {
  auto* const data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  const std::uint64_t address = payload.get_address() - kMemory;
  if (payload.is_write()) memory_.bytes().write(address, {data, payload.get_data_length()});
  if (payload.is_read()) memory_.bytes().read(address, {data, payload.get_data_length()});
}

optweb::MachineInstruction HostPort::staged() const {
  optweb::MachineInstruction i;
  i.opcode = static_cast<optweb::Opcode>(staging_[0]);
  i.send_address = staging_[1];
  i.receive_address = staging_[2];
  i.size = staging_[3];
  i.source = static_cast<std::uint32_t>(staging_[4]);
  i.destination = static_cast<std::uint32_t>(staging_[5]);
  i.group = static_cast<std::uint32_t>(staging_[6]);
  i.flags = static_cast<std::uint8_t>(staging_[7]);
  return i;
}

tlm::tlm_response_status HostPort::write_register(std::uint64_t offset, std::uint64_t value) {
  if (offset == kAppend) {
    if (value != 1 || staging_[0] >= optweb::kOpcodes) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    owner_.host_pushes(staged());
  } else if (offset == kDoorbell) {
    owner_.host_starts();
  } else if (offset >= kStaging) {
    staging_[(offset - kStaging) / 8] = value;
  } else {
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status HostPort::access_register(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address() - kRegisters;
  if (offset >= kStaging + 8 * staging_.size()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (offset % 8 != 0 || payload.get_data_length() != 8) return tlm::TLM_BURST_ERROR_RESPONSE;
  std::uint64_t value = 0;
  if (payload.is_write()) {
    std::memcpy(&value, payload.get_data_ptr(), 8);
    return write_register(offset, value);
  }
  if (offset == kFinished) {
    value = owner_.host_status().finished ? 1 : 0;
  } else if (offset == kCompleted) {
    value = owner_.host_status().completed;
  } else if (offset >= kStaging) {
    value = staging_[(offset - kStaging) / 8];
  } else {
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &value, 8);
  return tlm::TLM_OK_RESPONSE;
}

void HostPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (payload.get_streaming_width() < payload.get_data_length()) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (!in_memory(payload)) {
    delay += cycle_;
    payload.set_response_status(access_register(payload));
    return;
  }
  if (payload.get_data_length() > 0 && !payload.is_read() && !payload.is_write()) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);  // TLM_IGNORE_COMMAND
    return;
  }
  if (payload.get_data_length() > 0) wait_for_memory(payload, delay);
  payload.set_dmi_allowed(dmi_allowed());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Comes back at the edge at which the access is over.
void HostPort::wait_for_memory(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay > sc_core::SC_ZERO_TIME) sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  const sc_core::sc_time ps(1, sc_core::SC_PS);
  const std::uint64_t begun = sc_core::sc_time_stamp().value();
  sc_core::sc_event over;
  Cycle end = 0;
  HostAccess access;
  access.write = payload.is_write();
  access.address = payload.get_address() - kMemory;
  access.bytes = payload.get_data_length();
  access.move = [&] { access_memory(payload); };
  access.over = [&](Cycle, Cycle now) {
    end = now;
    over.notify();
  };
  // Rounded up to whole picoseconds, and from there to an edge.
  master_.ask(std::move(access), clock_.at_or_after(static_cast<Picoseconds>((begun + ps.value() - 1) / ps.value())));
  sc_core::wait(over);
  const sc_core::sc_time at = sc_core::sc_time::from_value(static_cast<std::uint64_t>(clock_.time(end)) * ps.value());
  if (at > sc_core::sc_time_stamp()) sc_core::wait(at - sc_core::sc_time_stamp());  // a clock of its own
}

void HostPort::program_starts() {
  if (owner_.host_status().finished) return;
  started_ = true;
  if (!std::exchange(granted_, false)) return;
  socket->invalidate_direct_mem_ptr(kMemory, kMemory + memory_.bytes().size() - 1);
}

unsigned int HostPort::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!in_memory(payload)) return 0;
  access_memory(payload);
  return payload.get_data_length();
}

bool HostPort::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  dmi.init();
  const std::uint64_t address = payload.get_address();
  if (!dmi_allowed()) {
    dmi.set_start_address(kMemory);
    dmi.set_end_address(kMemory + memory_.bytes().size() - 1);
    return false;
  }
  if (address < kMemory || address - kMemory >= memory_.bytes().size()) {
    dmi.set_start_address(0);
    dmi.set_end_address(kMemory - 1);
    return false;
  }
  const std::span<std::byte> page = memory_.bytes().pin(address - kMemory);
  const std::uint64_t begin = address - (address - kMemory) % optweb::SparseMemory::kPage;
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(page.data()));
  dmi.set_start_address(begin);
  dmi.set_end_address(begin + page.size() - 1);
  dmi.set_read_latency(cycle_ * static_cast<double>(parameters_.latency().read));
  dmi.set_write_latency(cycle_ * static_cast<double>(parameters_.latency().write));
  dmi.allow_read_write();
  granted_ = true;
  return true;
}

}  // namespace weft

#include "workload/axi/axi_stream_transmitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft::axi {
namespace {

// Any other write is a packet of its own.
const StreamPacket& packet_of(const TlmPayload& payload) {
  static const StreamPacket kPlain;
  const StreamPacket* const extension = payload.get_extension<StreamPacket>();
  return extension == nullptr ? kPlain : *extension;
}

}  // namespace

StreamTransmitter::StreamTransmitter(sc_core::sc_module_name name, std::uint32_t bus,
                                     const StreamTransmitterOptions& options)
    : ClockedModule(name),
      bus_(bus),
      phases_(
          {[this](auto& payload, auto& phase, auto& delay) { return socket->nb_transport_bw(payload, phase, delay); },
           [this](TlmPayload& payload) {
             add(payload, nullptr);
             return sc_core::SC_ZERO_TIME;
           },
           [this](const std::string& what) { misused(what); }}) {
  if (options.outstanding == 0) throw InputError({this->name()}, "a limit of outstanding writes is at least 1");
  phases_.limit(options.outstanding);
  socket.register_b_transport(this, &StreamTransmitter::b_transport);
  socket.register_nb_transport_fw(this, &StreamTransmitter::nb_transport_fw);
}

void StreamTransmitter::b_transport(TlmPayload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event done;
  add(payload, &done);
  sc_core::wait(done);
}

tlm::tlm_sync_enum StreamTransmitter::nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
  return phases_.forward(payload, phase, delay);
}

void StreamTransmitter::add(TlmPayload& payload, sc_core::sc_event* done) {
  items_.push_back({&payload, done, sc_core::sc_time_stamp()});
}

const StreamPins& StreamTransmitter::reset() {
  count_edge();
  if (out_.valid) {
    begin_or_end(packet_of(*items_.front().payload));
    ++broken_off;
    answer(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  cut_.insert(begun_.begin(), begun_.end());
  begun_.clear();
  out_ = {};
  return out_;
}

const StreamPins& StreamTransmitter::clock(bool ready) {
  count_edge();
  if (out_.valid && ready) {
    out_.valid = false;
    if (ends_) {
      begin_or_end(packet_of(*items_.front().payload));
      answer(tlm::TLM_OK_RESPONSE);
    }
  }
  const auto has_come = [this] { return !items_.empty() && items_.front().came < sc_core::sc_time_stamp(); };
  while (!out_.valid && has_come()) {
    const tlm::tlm_response_status status = refusal(*items_.front().payload);
    if (status == tlm::TLM_INCOMPLETE_RESPONSE) {
      drive(items_.front());
    } else {
      answer(status);
    }
  }
  return out_;
}

// TLM_INCOMPLETE_RESPONSE: it is to be driven.
tlm::tlm_response_status StreamTransmitter::refusal(const TlmPayload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (!payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const StreamPacket& packet = packet_of(payload);
  if (cut_.count({packet.id, packet.dest}) > 0) {
    if (packet.last) cut_.erase({packet.id, packet.dest});
    ++broken_off;
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (!wider(packet.id, widths_.id) && !wider(packet.dest, widths_.dest)) return tlm::TLM_INCOMPLETE_RESPONSE;
  warn(fmt::format("packet of {} bytes with TID {} to TDEST {}: the pins have {} bits of TID and {} of TDEST",
                   payload.get_data_length(), packet.id, packet.dest, widths_.id, widths_.dest));
  return tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// The last beat of a piece has come, or will not come.
void StreamTransmitter::begin_or_end(const StreamPacket& packet) {
  if (packet.last) {
    begun_.erase({packet.id, packet.dest});
  } else {
    begun_.insert({packet.id, packet.dest});
  }
}

void StreamTransmitter::drive(Item& item) {
  const TlmPayload& p = *item.payload;
  const StreamPacket& packet = packet_of(p);
  const std::uint32_t bytes = packet.empty ? 0 : p.get_data_length();
  const std::uint32_t now = std::min(bus_, bytes - item.sent);
  out_ = {
      true,       std::vector<unsigned char>(bus_), std::vector<bool>(bus_), std::vector<bool>(bus_), false, packet.id,
      packet.dest};
  for (std::uint32_t i = 0; i < now; ++i) {
    const std::uint32_t byte = item.sent + i;
    const unsigned char* const enables = p.get_byte_enable_ptr();
    out_.bytes[i] = p.get_data_ptr()[byte];
    out_.keep[i] = true;
    out_.strobes[i] = enables == nullptr || enables[byte % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  }
  item.sent += now;
  ends_ = item.sent == bytes;
  out_.last = ends_ && packet.last;
}

void StreamTransmitter::answer(tlm::tlm_response_status status) {
  const Item item = items_.front();
  items_.pop_front();
  item.payload->set_response_status(status);
  item.payload->set_dmi_allowed(false);
  if (item.done != nullptr) return item.done->notify(sc_core::SC_ZERO_TIME);
  phases_.respond(*item.payload);
}

}  // namespace weft::axi

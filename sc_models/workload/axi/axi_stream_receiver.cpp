#include "workload/axi/axi_stream_receiver.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/diagnostics.h"

namespace weft::axi {

StreamReceiver::StreamReceiver(sc_core::sc_module_name name, std::uint32_t bus, const StreamReceiverOptions& options)
    : ClockedModule(name),
      bus_(bus),
      options_(options),
      checker_(this->name(), [this](const std::string& what) { misused(what); }),
      phases_(
          {[this](auto& payload, auto& phase, auto& delay) { return socket->nb_transport_fw(payload, phase, delay); },
           [this] { send(); }, [this](TlmPayload& payload) { answered(static_cast<Item&>(payload)); },
           [this](const std::string& what) { misused(what); }}) {
  if (options.outstanding == 0) throw InputError({this->name()}, "a limit of outstanding packets is at least 1");
  if (options.packet < bus || options.packet > options.stride) {
    throw InputError({this->name()}, fmt::format("packets of {} bytes: a transaction has at least the {} bytes of a "
                                                 "beat and at most the {} of a destination's addresses",
                                                 options.packet, bus, options.stride));
  }
  socket.register_nb_transport_bw(this, &StreamReceiver::nb_transport_bw);
}

StreamReceiver::~StreamReceiver() {
  for (auto& item : items_) item->clear_extension<StreamPacket>();
}

bool StreamReceiver::reset() {
  count_edge();
  checker_.reset();
  for (const auto& [stream, item] : open_) free_.push_back(item);
  open_.clear();
  for (const auto& [id, dest] : std::exchange(begun_, {})) {
    StreamPins end;
    end.id = id;
    end.dest = dest;
    close(open_packet(end), true);
  }
  return ready_ = false;
}

// An answer that comes at an edge is seen at the next one, whatever the order of processes.
bool StreamReceiver::clock(const StreamPins& in) {
  count_edge();
  checker_.clock(in, ready_);
  while (!answers_.empty() && answers_.front() < sc_core::sc_time_stamp()) {
    answers_.pop_front();
    --under_way_;
  }
  if (ready_ && in.valid) take(in);
  send();
  return ready_ = under_way_ < options_.outstanding;
}

StreamReceiver::Item& StreamReceiver::open_packet(const StreamPins& in) {
  Item*& open = open_[{in.id, in.dest}];
  if (open != nullptr) return *open;
  if (free_.empty()) {
    free_.push_back(items_.emplace_back(std::make_unique<Item>()).get());
    free_.back()->set_mm(this);
    free_.back()->set_extension(&free_.back()->packet);
  }
  open = free_.back();
  free_.pop_back();
  open->data.clear();
  open->enables.clear();
  open->has_position = false;
  open->packet.id = in.id;
  open->packet.dest = in.dest;
  return *open;
}

void StreamReceiver::take(const StreamPins& in) {
  Item* item = &open_packet(in);
  for (std::uint32_t i = 0; i < bus_; ++i) {
    if (!in.keep[i]) continue;
    if (item->data.size() == options_.packet) {
      close(*item, false);
      item = &open_packet(in);
    }
    item->data.push_back(in.bytes[i]);
    item->enables.push_back(in.strobes[i] ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    item->has_position = item->has_position || !in.strobes[i];
  }
  if (in.last) close(*item, true);
}

void StreamReceiver::close(Item& item, bool last) {
  const std::pair stream{item.packet.id, item.packet.dest};
  open_.erase(stream);
  if (last) {
    begun_.erase(stream);
  } else {
    begun_.insert(stream);
  }
  item.packet.last = last;
  if (item.packet.dest > (std::numeric_limits<std::uint64_t>::max() - options_.base) / options_.stride) {
    ++lost;
    const std::string what = fmt::format(
        "packet of {} bytes with TID {} to TDEST {}: base {:#x} + {} * stride {:#x} is no address of 64 bits",
        item.data.size(), item.packet.id, item.packet.dest, options_.base, item.packet.dest, options_.stride);
    free_.push_back(&item);
    return misused(what);
  }
  item.packet.empty = item.data.empty();
  if (item.packet.empty) {
    item.data.push_back(0);
    item.enables.push_back(TLM_BYTE_DISABLED);
    item.has_position = true;
  }
  TlmPayload& p = item;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(options_.base + item.packet.dest * options_.stride);
  p.set_data_ptr(item.data.data());
  p.set_data_length(static_cast<unsigned>(item.data.size()));
  p.set_streaming_width(p.get_data_length());
  p.set_byte_enable_ptr(item.has_position ? item.enables.data() : nullptr);
  p.set_byte_enable_length(item.has_position ? static_cast<unsigned>(item.enables.size()) : 0);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  item.acquire();
  ++under_way_;
  requests_.push_back(&item);
}

void StreamReceiver::send() {
  while (!phases_.busy() && !requests_.empty()) {
    Item& item = *requests_.front();
    requests_.pop_front();
    phases_.request(item);
  }
}

tlm::tlm_sync_enum StreamReceiver::nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  return phases_.backward(payload, phase, delay);
}

void StreamReceiver::answered(Item& item) {
  answers_.push_back(sc_core::sc_time_stamp());
  const tlm::tlm_response_status status = item.get_response_status();
  std::string what;
  if (status != tlm::TLM_OK_RESPONSE) {
    ++lost;
    what = fmt::format("packet of {} bytes with TID {} to TDEST {} (address {:#x}): {}", item.data.size(),
                       item.packet.id, item.packet.dest, item.get_address(), item.get_response_string());
  }
  item.release();  // before a report that may end this call
  if (status == tlm::TLM_GENERIC_ERROR_RESPONSE) {
    warn(what);
  } else if (status != tlm::TLM_OK_RESPONSE) {
    misused(what);
  }
}

// The extension belongs to the item, so it stays.
void StreamReceiver::free(TlmPayload* payload) {
  payload->reset();
  free_.push_back(static_cast<Item*>(payload));
}

}  // namespace weft::axi

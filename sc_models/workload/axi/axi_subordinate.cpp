#include "workload/axi/axi_subordinate.h"

#include "base/diagnostics.h"

namespace weft::axi {
namespace {

Response response_of(const TlmPayload& payload) {
  switch (payload.get_response_status()) {
    case tlm::TLM_OK_RESPONSE:
      return Response::okay;
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return Response::decerr;
    default:
      return Response::slverr;
  }
}

}  // namespace

Subordinate::Subordinate(sc_core::sc_module_name name, std::uint32_t bus, const SubordinateOptions& options)
    : ClockedModule(name),
      bus_(bus),
      options_(options),
      checker_(this->name(), bus, [this](const std::string& what) { misused(what); }),
      phases_(
          {[this](auto& payload, auto& phase, auto& delay) { return socket->nb_transport_fw(payload, phase, delay); },
           [this] { send(); }, [this](TlmPayload& payload) { answered(static_cast<Item&>(payload)); },
           [this](const std::string& what) { misused(what); }}) {
  if (options.reads == 0 || options.writes == 0) throw InputError({this->name()}, "a limit of bursts is at least 1");
  socket.register_nb_transport_bw(this, &Subordinate::nb_transport_bw);
}

Subordinate::~Subordinate() {
  for (auto& item : items_) item->clear_extension<TlmId>();
}

Subordinate::Item& Subordinate::take(const Address& address, bool write) {
  if (free_.empty()) {
    free_.push_back(items_.emplace_back(std::make_unique<Item>()).get());
    free_.back()->set_mm(this);
  }
  Item& item = *free_.back();
  free_.pop_back();
  item.address = address;
  item.write = write;
  item.beats = 0;
  item.resets = resets_;
  ++open_[write];
  item.acquire();
  const std::string rule = violation(address, bus_);
  const Range range = rule.empty() ? range_of(address, bus_) : Range{address.address, bus_, bus_};
  item.data.assign(range.length, 0);
  item.enables.assign(write ? range.length : 0, TLM_BYTE_DISABLED);
  TlmPayload& p = item;
  p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  p.set_address(range.address);
  p.set_data_ptr(item.data.data());
  p.set_data_length(range.length);
  p.set_streaming_width(range.width);
  p.set_byte_enable_ptr(nullptr);
  p.set_byte_enable_length(0);
  p.set_dmi_allowed(false);
  p.set_response_status(rule.empty() ? tlm::TLM_INCOMPLETE_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  p.set_auto_extension(new TlmId(2 * address.id + (write ? 1 : 0)));
  return item;
}

void Subordinate::free(TlmPayload* payload) {
  payload->reset();
  free_.push_back(static_cast<Item*>(payload));
}

const SubordinatePins& Subordinate::reset() {
  count_edge();
  checker_.reset();
  ++resets_;
  dropped += b_.size() + r_.size() + (out_.b_valid ? 1 : 0) + (out_.r_valid && out_.r_last ? 1 : 0);
  out_ = {};
  for (std::deque<Item*>* const list : {&writes_, &requests_[0], &requests_[1], &b_, &r_}) {
    for (Item* const item : *list) item->release();
    list->clear();
  }
  data_.clear();
  open_[0] = open_[1] = 0;
  return out_;
}

const SubordinatePins& Subordinate::clock(const ManagerPins& in) {
  count_edge();
  checker_.clock(in, out_);
  if (out_.b_valid && in.b_ready) {
    out_.b_valid = false;
    --open_[1];
  }
  if (out_.r_valid && in.r_ready) {
    out_.r_valid = false;
    if (out_.r_last) --open_[0];
  }
  if (out_.aw_ready && in.aw_valid) writes_.push_back(&take(in.aw, true));
  if (out_.w_ready && in.w_valid) data_.push_back(in.w);
  collect();
  if (out_.ar_ready && in.ar_valid) {
    Item& item = take(in.ar, false);
    if (item.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
      requests_[0].push_back(&item);
    } else {
      answered(item);
    }
  }
  send();
  drive_b();
  drive_r();
  out_.aw_ready = open_[1] < options_.writes;
  out_.w_ready = data_.size() < 256;  // a whole burst ahead of its address
  out_.ar_ready = open_[0] < options_.reads;
  return out_;
}

// Data belong to the burst whose address came first.
void Subordinate::collect() {
  while (!writes_.empty() && !data_.empty()) {
    Item& item = *writes_.front();
    const Data w = std::move(data_.front());
    data_.pop_front();
    if (item.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
      const Beat b = beat(item.address, item.beats, bus_);
      if (stray_lane(b, w.strobes) < w.strobes.size()) item.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      const std::uint32_t at = place(item.address, item.beats, bus_);
      for (std::uint32_t i = 0; i < b.bytes; ++i) {
        if (!w.strobes[b.lane + i]) continue;
        item.data[at + i] = w.bytes[b.lane + i];
        item.enables[at + i] = TLM_BYTE_ENABLED;
      }
    }
    if (++item.beats < item.address.beats) continue;
    writes_.pop_front();
    if (item.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {  // against the rules
      answered(item);
      continue;
    }
    bool all = true;
    for (const unsigned char e : item.enables) all = all && e == TLM_BYTE_ENABLED;
    if (!all) {
      item.set_byte_enable_ptr(item.enables.data());
      item.set_byte_enable_length(static_cast<unsigned>(item.enables.size()));
    }
    requests_[1].push_back(&item);
  }
}

void Subordinate::send() {
  while (!phases_.busy() && !(requests_[0].empty() && requests_[1].empty())) {
    if (requests_[write_next_].empty()) write_next_ = !write_next_;
    Item& item = *requests_[write_next_].front();
    requests_[write_next_].pop_front();
    write_next_ = !write_next_;
    phases_.request(item);
  }
}

tlm::tlm_sync_enum Subordinate::nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return phases_.backward(payload, phase, delay);
}

void Subordinate::answered(Item& item) {
  if (item.resets != resets_) {
    ++dropped;
    return item.release();
  }
  item.answered = sc_core::sc_time_stamp();
  item.beats = 0;
  (item.write ? b_ : r_).push_back(&item);
}

void Subordinate::drive_b() {
  if (out_.b_valid || b_.empty() || b_.front()->answered >= sc_core::sc_time_stamp()) return;
  Item& item = *b_.front();
  b_.pop_front();
  out_.b_valid = true;
  out_.b_id = item.address.id;
  out_.b = response_of(item);
  item.release();
}

void Subordinate::drive_r() {
  if (out_.r_valid || r_.empty() || r_.front()->answered >= sc_core::sc_time_stamp()) return;
  Item& item = *r_.front();
  out_.r_valid = true;
  out_.r_id = item.address.id;
  out_.r = response_of(item);
  out_.r_bytes.assign(bus_, 0);
  if (item.is_response_ok()) {
    const Beat b = beat(item.address, item.beats, bus_);
    const std::uint32_t at = place(item.address, item.beats, bus_);
    for (std::uint32_t i = 0; i < b.bytes; ++i) out_.r_bytes[b.lane + i] = item.data[at + i];
  }
  out_.r_last = ++item.beats == item.address.beats;
  if (!out_.r_last) return;
  r_.pop_front();
  item.release();
}

}  // namespace weft::axi

#include "workload/axi/axi_manager.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft::axi {
namespace {

Range range_of(const TlmPayload& p) { return {p.get_address(), p.get_data_length(), span_of(p)}; }

// Whole words of the bus, as the bursts have them.
bool overlap(const TlmPayload& a, const TlmPayload& b, std::uint32_t bus) {
  const Range x = range_of(a);
  const Range y = range_of(b);
  return x.address / bus <= (y.address + y.width - 1) / bus && y.address / bus <= (x.address + x.width - 1) / bus;
}

bool enabled(const TlmPayload& p, std::uint32_t byte) {
  const unsigned char* const enables = p.get_byte_enable_ptr();
  return enables == nullptr || enables[byte % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

tlm::tlm_response_status status_of(Response response) {
  switch (response) {
    case Response::slverr:
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
    case Response::decerr:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    default:
      return tlm::TLM_OK_RESPONSE;
  }
}

}  // namespace

Manager::Manager(sc_core::sc_module_name name, std::uint32_t bus, const ManagerOptions& options)
    : ClockedModule(name),
      bus_(bus),
      checker_(this->name(), bus, [this](const std::string& what) { misused(what); }),
      phases_(
          {[this](auto& payload, auto& phase, auto& delay) { return socket->nb_transport_bw(payload, phase, delay); },
           [this](TlmPayload& payload) {
             add(payload, nullptr);
             return sc_core::SC_ZERO_TIME;
           },
           [this](const std::string& what) { misused(what); }}) {
  if (options.outstanding == 0) throw InputError({this->name()}, "a limit of outstanding transactions is at least 1");
  phases_.limit(options.outstanding);
  socket.register_b_transport(this, &Manager::b_transport);
  socket.register_nb_transport_fw(this, &Manager::nb_transport_fw);
}

void Manager::b_transport(TlmPayload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event done;
  add(payload, &done);
  sc_core::wait(done);
}

tlm::tlm_sync_enum Manager::nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return phases_.forward(payload, phase, delay);
}

// With its last byte.
bool Manager::fits(const TlmPayload& payload) const {
  const std::uint64_t first = payload.get_address();
  const std::uint64_t last = first + std::max(span_of(payload), 1U) - 1;
  return last >= first && !wider(last, widths_.address);
}

void Manager::respond(TlmPayload& payload, sc_core::sc_event* done, tlm::tlm_response_status status) {
  payload.set_response_status(status);
  payload.set_dmi_allowed(false);
  if (done != nullptr) return done->notify(sc_core::SC_ZERO_TIME);
  phases_.respond(payload);
}

void Manager::add(TlmPayload& payload, sc_core::sc_event* done) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND && !fits(payload)) {
    respond(payload, done, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return warn(fmt::format("{} of {} bytes at {:#x} goes beyond the {} bits of the address pins",
                            payload.is_write() ? "write" : "read", payload.get_data_length(), payload.get_address(),
                            widths_.address));
  }
  Item& item = items_.emplace_back();
  item.payload = &payload;
  item.done = done;
  item.came = sc_core::sc_time_stamp();
  item.write = payload.is_write();
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) item.pieces = bursts_of(range_of(payload), bus_);
}

const ManagerPins& Manager::reset() {
  count_edge();
  checker_.reset();
  out_ = {};
  for (auto& addresses : addresses_) addresses.clear();
  data_.clear();
  for (auto it = items_.begin(); it != items_.end();) {
    Item& item = *it++;
    item.issued = false;
    if (!item.begun) continue;
    ++broken_off;
    item.worst = Response::slverr;
    finish(item);
  }
  return out_;
}

const ManagerPins& Manager::clock(const SubordinatePins& in) {
  count_edge();
  checker_.clock(out_, in);
  if (out_.aw_valid && in.aw_ready) out_.aw_valid = false;
  if (out_.w_valid && in.w_ready) out_.w_valid = false;
  if (out_.ar_valid && in.ar_ready) out_.ar_valid = false;
  if (out_.b_ready && in.b_valid) take_b(in);
  if (out_.r_ready && in.r_valid) take_r(in);
  issue();
  for (const bool write : {false, true}) {
    bool& valid = write ? out_.aw_valid : out_.ar_valid;
    if (valid || addresses_[write].empty()) continue;
    valid = true;
    (write ? out_.aw : out_.ar) = addresses_[write].front();
    begin(write, addresses_[write].front().id);
    addresses_[write].pop_front();
  }
  if (!out_.w_valid && !data_.empty()) {
    out_.w_valid = true;
    out_.w = std::move(data_.front().data);
    out_.w_last = data_.front().last;
    begin(true, data_.front().id);
    data_.pop_front();
  }
  out_.b_ready = true;
  out_.r_ready = true;
  return out_;
}

bool Manager::may_go(const Item& item) const {
  if (item.came >= sc_core::sc_time_stamp()) return false;
  for (const Item& other : items_) {
    if (&other == &item) return true;
    if ((other.write || item.write) && overlap(*other.payload, *item.payload, bus_)) return false;
  }
  return true;
}

// What is next goes to its channel once that is free for it.
void Manager::issue() {
  for (const bool write : {false, true}) {
    if (!addresses_[write].empty() || (write && data_.size() > 1)) continue;
    const auto it =
        std::find_if(items_.begin(), items_.end(), [&](const Item& i) { return i.write == write && !i.issued; });
    if (it != items_.end() && may_go(*it)) issue(*it);
  }
}

void Manager::issue(Item& item) {
  if (item.pieces.empty()) return answer(item, Response::okay);  // nothing to be done
  const std::uint64_t ids = std::uint64_t{1} << widths_.id;
  if (static_cast<std::uint64_t>(std::count_if(items_.begin(), items_.end(), [](const Item& i) { return i.issued; })) ==
      ids) {
    return;
  }
  const auto taken = [&](std::uint32_t id) {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& i) { return i.issued && i.id == id; });
  };
  while (taken(next_id_)) next_id_ = static_cast<std::uint32_t>((next_id_ + 1) % ids);
  item.id = next_id_;
  item.issued = true;
  next_id_ = static_cast<std::uint32_t>((next_id_ + 1) % ids);
  for (Piece& piece : item.pieces) {
    piece.address.id = item.id;
    addresses_[item.write].push_back(piece.address);
    if (item.write) push_data(item, piece);
  }
}

void Manager::push_data(const Item& item, const Piece& piece) {
  const unsigned char* const data = item.payload->get_data_ptr();
  std::uint32_t done = 0;
  for (std::uint32_t n = 0; n < piece.address.beats; ++n) {
    const Beat b = beat(piece.address, n, bus_);
    WriteBeat out{item.id, {std::vector<unsigned char>(bus_), std::vector<bool>(bus_)}, n + 1 == piece.address.beats};
    for (std::uint32_t i = 0; i < b.bytes && done < piece.length; ++i, ++done) {
      out.data.bytes[b.lane + i] = data[piece.first + done];
      out.data.strobes[b.lane + i] = enabled(*item.payload, piece.first + done);
    }
    data_.push_back(std::move(out));
  }
}

Manager::Item* Manager::under_way(bool write, std::uint32_t id) {
  const auto it = std::find_if(items_.begin(), items_.end(),
                               [&](const Item& i) { return i.issued && i.write == write && i.id == id; });
  return it == items_.end() ? nullptr : &*it;
}

void Manager::begin(bool write, std::uint32_t id) {
  if (Item* const item = under_way(write, id)) item->begun = true;
}

// What the checker has complained of is not as if nothing had happened.
void Manager::take_b(const SubordinatePins& in) {
  Item* const item = checker_.b() == Checker::Answer::unasked ? nullptr : under_way(true, in.b_id);
  if (item == nullptr) return;
  answer(*item, checker_.b() == Checker::Answer::early ? std::max(in.b, Response::slverr) : in.b);
}

void Manager::take_r(const SubordinatePins& in) {
  Item* const item = checker_.r() == Checker::Answer::unasked ? nullptr : under_way(false, in.r_id);
  if (item == nullptr) return;
  const Piece& piece = item->pieces[item->answered];
  const Beat b = beat(piece.address, item->beat, bus_);
  const auto from = static_cast<std::uint32_t>(b.address - piece.address.address);  // byte of the piece
  for (std::uint32_t i = 0; i < b.bytes && from + i < piece.length; ++i) {
    const std::uint32_t byte = piece.first + from + i;
    if (enabled(*item->payload, byte)) item->payload->get_data_ptr()[byte] = in.r_bytes[b.lane + i];
  }
  item->worst = std::max(item->worst, in.r);
  if (++item->beat < piece.address.beats) return;
  item->beat = 0;
  answer(*item, in.r);
}

void Manager::answer(Item& item, Response response) {
  item.worst = std::max(item.worst, response);
  if (++item.answered >= item.pieces.size()) finish(item);
}

void Manager::finish(Item& item) {
  TlmPayload& payload = *item.payload;
  sc_core::sc_event* const done = item.done;
  const tlm::tlm_response_status status = status_of(item.worst);
  items_.remove_if([&](const Item& i) { return &i == &item; });
  respond(payload, done, status);
}

}  // namespace weft::axi

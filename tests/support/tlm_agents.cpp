#include "support/tlm_agents.h"

#include <fmt/format.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <algorithm>

#include "workload/tlm_bridge.h"

namespace weft::test {

using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

TlmAccesses::TlmAccesses(const TlmPlan& plan, std::uint64_t seed)
    : plan_(plan), random_(seed, fmt::format("accesses {}", plan.number)) {
  contents_.assign(plan.memories, std::vector<unsigned char>(plan.part));
}

// A place of the memory may be passed several times (streaming): the last byte that is enabled stays.
void TlmAccesses::make(tlm_generic_payload& payload, Access& access) {
  const auto memory = static_cast<unsigned>(random_.below(plan_.memories));
  const auto length = static_cast<unsigned>(1 + random_.below(32));
  const auto width = static_cast<unsigned>(random_.below(4) == 0 ? 1 + random_.below(length) : length);
  const auto at = static_cast<unsigned>(random_.below(plan_.part - width + 1));
  const bool write = random_.below(2) == 0;
  access.data.resize(length);
  for (unsigned char& b : access.data) b = static_cast<unsigned char>(random_());
  access.enables.assign(random_.below(4) == 0 ? 1 + random_.below(length) : 0, 0);
  for (unsigned char& e : access.enables) e = random_.below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  access.expected = access.data;
  for (unsigned i = 0; i < length; ++i) {
    if (!access.enables.empty() && access.enables[i % access.enables.size()] == TLM_BYTE_DISABLED) continue;
    unsigned char& cell = contents_[memory][at + i % width];
    (write ? cell : access.expected[i]) = write ? access.data[i] : cell;
  }
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(plan_.base + sc_dt::uint64{memory} * plan_.memory + plan_.number * plan_.part + at);
  payload.set_data_ptr(access.data.data());
  payload.set_data_length(length);
  payload.set_streaming_width(width);
  payload.set_byte_enable_ptr(access.enables.empty() ? nullptr : access.enables.data());
  payload.set_byte_enable_length(static_cast<unsigned>(access.enables.size()));
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

AtInitiator::AtInitiator(sc_core::sc_module_name name, const TlmPlan& plan, std::uint64_t seed)
    : sc_module(name), plan_(plan), accesses_(plan, seed), phases_(this, &AtInitiator::phase_due) {
  socket.register_nb_transport_bw(this, &AtInitiator::nb_transport_bw);
  SC_THREAD(work);
}

AtInitiator::~AtInitiator() {
  for (auto& [payload, item] : items_) payload->clear_extension<TlmId>();
}

AtInitiator::Item& AtInitiator::item() {
  if (free_.empty()) {
    auto made = std::make_unique<Item>();
    made->payload.set_mm(this);
    ++made_;
    free_.push_back(made.get());
    items_.emplace(&made->payload, std::move(made));
  }
  Item& out = *free_.back();
  free_.pop_back();
  return out;
}

void AtInitiator::free(tlm_generic_payload* payload) {
  payload->reset();
  free_.push_back(items_.at(payload).get());
}

void AtInitiator::work() {
  RandomStream& random = accesses_.random();
  for (std::uint64_t i = 0; i < plan_.transactions; ++i) {
    sc_core::sc_time delay = accesses_.pause();
    if (random.below(2) == 0) {  // annotated, or waited for
      sc_core::wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    Item& t = item();
    t.number = i;
    t.id = static_cast<std::uint32_t>(random.below(5));
    accesses_.make(t.payload, t.access);
    if (t.id > 0) {  // 0: any order
      t.payload.set_auto_extension(new TlmId(t.id));
      by_id_[t.id].push_back(i);
    }
    open_.push_back(i);
    t.payload.acquire();
    requesting_ = true;
    tlm_phase phase = tlm::BEGIN_REQ;
    const tlm_sync_enum status = socket->nb_transport_fw(t.payload, phase, delay);
    if (status != tlm::TLM_ACCEPTED) wrong = "a request is completed at once";
    while (requesting_) sc_core::wait(end_request_);
  }
}

tlm_sync_enum AtInitiator::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) {
  phases_.notify(payload, phase, delay);
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const std::uint64_t way = accesses_.random().below(3);
  items_.at(&payload)->ends_itself = way == 0;
  if (way == 0) return tlm::TLM_ACCEPTED;
  delay += accesses_.pause();
  if (way == 1) return tlm::TLM_COMPLETED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void AtInitiator::phase_due(tlm_generic_payload& payload, const tlm_phase& phase) {
  if (phase == tlm::END_REQ) {
    requesting_ = false;
    end_request_.notify();
    return;
  }
  if (phase == tlm::BEGIN_RESP) {
    take(*items_.at(&payload));
    if (items_.at(&payload)->ends_itself) return phases_.notify(payload, tlm::END_RESP, accesses_.pause());
  } else {
    tlm_phase end = tlm::END_RESP;
    sc_core::sc_time delay = accesses_.pause();
    socket->nb_transport_fw(payload, end, delay);
  }
  payload.release();
}

void AtInitiator::take(Item& t) {
  const auto say = [&](const std::string& what) {
    if (wrong.empty()) wrong = fmt::format("{}: transaction {}: {}", name(), t.number, what);
  };
  ++answered;
  if (!t.payload.is_response_ok()) say(t.payload.get_response_string());
  if (t.payload.is_read() && t.access.data != t.access.expected) say("reads what nobody has written");
  if (open_.front() != t.number) ++overtaken;
  open_.erase(std::find(open_.begin(), open_.end(), t.number));
  if (t.id == 0) return;
  std::deque<std::uint64_t>& same = by_id_.at(t.id);
  if (same.front() != t.number) say("answered before an earlier one of its number");
  same.erase(std::find(same.begin(), same.end(), t.number));
}

LtInitiator::LtInitiator(sc_core::sc_module_name name, const TlmPlan& plan, std::uint64_t seed)
    : sc_module(name), plan_(plan), accesses_(plan, seed) {
  SC_THREAD(work);
}

void LtInitiator::work() {
  tlm_utils::tlm_quantumkeeper keeper;
  keeper.reset();
  for (std::uint64_t i = 0; i < plan_.transactions; ++i) {
    keeper.inc(accesses_.pause());
    if (keeper.need_sync()) keeper.sync();
    tlm_generic_payload payload;
    TlmAccesses::Access access;
    accesses_.make(payload, access);
    sc_core::sc_time delay = keeper.get_local_time();
    socket->b_transport(payload, delay);
    keeper.set(delay);
    ++answered;
    if (!wrong.empty()) continue;
    if (!payload.is_response_ok()) wrong = fmt::format("{}: {}", name(), payload.get_response_string());
    if (wrong.empty() && payload.is_read() && access.data != access.expected)
      wrong = fmt::format("{}: access {} reads wrong", name(), i);
  }
}

AtMemory::AtMemory(sc_core::sc_module_name name, unsigned bytes, std::uint64_t seed, sc_core::sc_time slowest)
    : sc_module(name),
      bytes_(bytes),
      random_(seed, std::string("memory ") + this->name()),
      slowest_(slowest),
      phases_(this, &AtMemory::phase_due) {
  socket.register_b_transport(this, &AtMemory::b_transport);
  socket.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
}

void AtMemory::perform(tlm_generic_payload& p) {
  const unsigned char* const enables = p.get_byte_enable_ptr();
  for (unsigned i = 0; i < p.get_data_length(); ++i) {
    if (enables != nullptr && enables[i % p.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    unsigned char& cell = bytes_.at(p.get_address() + i % p.get_streaming_width());
    (p.is_write() ? cell : p.get_data_ptr()[i]) = p.is_write() ? p.get_data_ptr()[i] : cell;
  }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

void AtMemory::b_transport(tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += some();
  perform(payload);
}

tlm_sync_enum AtMemory::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    --here_;
    responding_ = nullptr;
    respond();
    return tlm::TLM_COMPLETED;
  }
  most = std::max(most, ++here_);
  perform(payload);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const auto respond_now = [&] {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += some();
  };
  switch (random_.below(5)) {
    case 0:
      respond_now();
      --here_;
      return tlm::TLM_COMPLETED;
    case 1:
      if (responding_ != nullptr) break;
      respond_now();
      responding_ = &payload;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    case 2:
      delay += some();
      phase = tlm::END_REQ;
      phases_.notify(payload, tlm::BEGIN_RESP, delay + some());
      return tlm::TLM_UPDATED;
    case 3:
      phases_.notify(payload, tlm::BEGIN_RESP, some());
      return tlm::TLM_ACCEPTED;
    default:
      break;
  }
  phases_.notify(payload, tlm::END_REQ, some());
  return tlm::TLM_ACCEPTED;
}

void AtMemory::phase_due(tlm_generic_payload& payload, const tlm_phase& phase) {
  if (phase == tlm::BEGIN_RESP) {
    ready_.push_back(&payload);
    return respond();
  }
  phases_.notify(payload, tlm::BEGIN_RESP, some());
  tlm_phase end = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(payload, end, delay);
}

void AtMemory::respond() {
  if (responding_ != nullptr || ready_.empty()) return;
  const auto it = ready_.begin() + static_cast<std::ptrdiff_t>(random_.below(ready_.size()));
  responding_ = *it;
  ready_.erase(it);
  responding_->set_response_status(tlm::TLM_OK_RESPONSE);
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = some();
  socket->nb_transport_bw(*responding_, phase, delay);
}

}  // namespace weft::test

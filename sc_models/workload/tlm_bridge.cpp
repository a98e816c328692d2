#include "workload/tlm_bridge.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {
namespace {

/// Keeps a payload of b_transport, which has no memory manager, for as long as a target that is called with
/// nb_transport refers to it.
class Loan final : public tlm::tlm_mm_interface {
 public:
  Loan(TlmPayload& payload, bool non_blocking) : payload_(payload), needed_(non_blocking && !payload.has_mm()) {
    if (!needed_) return;
    payload_.set_mm(this);
    payload_.acquire();
  }
  void end() {
    if (!needed_) return;
    payload_.release();
    while (!free_) sc_core::wait(freed_);
    payload_.set_mm(nullptr);
  }
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_ = true;
    freed_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  TlmPayload& payload_;
  const bool needed_;
  bool free_ = false;
  sc_core::sc_event freed_;
};

}  // namespace

TlmBridge::TlmBridge(sc_core::sc_module_name name, NodeId node, TlmCarrier& carrier)
    : sc_module(name),
      initiator_side("initiator_side"),
      target_side("target_side"),
      node_(node),
      carrier_(carrier),
      to_initiator_({[this](auto& payload, auto& phase, auto& delay) {
                       return initiator_side->nb_transport_bw(payload, phase, delay);
                     },
                     [this](TlmPayload& payload) { return accepted(payload); },
                     [this](const std::string& what) { misused(what); }}),
      to_target_({[this](auto& payload, auto& phase, auto& delay) {
                    return target_side->nb_transport_fw(payload, phase, delay);
                  },
                  [this] { ask(); },
                  [this](TlmPayload& payload) {
                    TlmTransaction& t = *with_target_.at(&payload);
                    with_target_.erase(&payload);
                    performed(t);
                  },
                  [this](const std::string& what) { misused(what); }}) {
  to_initiator_.limit(options_.outstanding);
  initiator_side.register_b_transport(this, &TlmBridge::b_transport);
  initiator_side.register_nb_transport_fw(this, &TlmBridge::nb_transport_fw);
  initiator_side.register_transport_dbg(this, &TlmBridge::transport_dbg);
  target_side.register_nb_transport_bw(this, &TlmBridge::nb_transport_bw);
  SC_THREAD(serve);
  SC_METHOD(ask);
  sensitive << request_event_;
  dont_initialize();
  SC_METHOD(answer_left);
  sensitive << left_event_;
  dont_initialize();
}

TlmBridge::~TlmBridge() = default;

void TlmBridge::configure(const TlmBridgeOptions& options) {
  if (sc_core::sc_get_status() >= sc_core::SC_RUNNING) {
    throw InputError({name()}, "configure() comes before time begins");
  }
  if (options.outstanding == 0 || options.target_outstanding == 0) {
    throw InputError({name()}, "a limit of outstanding transactions is at least 1");
  }
  options_ = options;
  to_initiator_.limit(options.outstanding);
}

void TlmBridge::misused(const std::string& what) const {
  SC_REPORT_ERROR("weft/bridge", fmt::format("{}: {}", name(), what).c_str());
}

// The initiator's side.

void TlmBridge::b_transport(TlmPayload& payload, sc_core::sc_time& delay) {
  const auto place = carrier_.owner(payload.get_address(), span_of(payload));
  if (!place) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  sc_core::wait(delay);  // the initiator may have run ahead; the network has not
  delay = sc_core::SC_ZERO_TIME;
  const auto transaction = transaction_of(payload, *place);
  transaction->blocking = true;
  Loan loan(payload, place->approximately_timed);
  if (carrier_.request(*transaction)) sc_core::wait(transaction->done);
  loan.end();
}

std::unique_ptr<TlmTransaction> TlmBridge::transaction_of(TlmPayload& payload, const TlmCarrier::Place& place) const {
  auto out = std::make_unique<TlmTransaction>();
  out->payload = &payload;
  out->from = node_;
  out->to = place.node;
  out->address = payload.get_address();
  out->local_address = place.address;
  return out;
}

unsigned int TlmBridge::transport_dbg(TlmPayload& payload) {
  const sc_dt::uint64 address = payload.get_address();
  const auto place = carrier_.owner(address, payload.get_data_length());
  if (!place) return 0;
  payload.set_address(place->address);
  const unsigned int done = carrier_.debug(payload, place->node);
  payload.set_address(address);
  return done;
}

tlm::tlm_sync_enum TlmBridge::nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return to_initiator_.forward(payload, phase, delay);
}

sc_core::sc_time TlmBridge::accepted(TlmPayload& payload) {
  const sc_core::sc_time end = carrier_.next_cycle();
  if (const auto place = carrier_.owner(payload.get_address(), span_of(payload))) {
    TlmTransaction& transaction = *initiated_.insert_or_assign(&payload, transaction_of(payload, *place)).first->second;
    if (!carrier_.request(transaction)) answer_arrived(transaction);
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    to_initiator_.respond(payload);
  }
  return end;
}

void TlmBridge::answer_arrived(TlmTransaction& transaction) {
  if (transaction.blocking) return transaction.done.notify(sc_core::SC_ZERO_TIME);
  TlmPayload& payload = *transaction.payload;
  initiated_.erase(&payload);
  to_initiator_.respond(payload);
}

// The target's side.

void TlmBridge::request_arrived(TlmTransaction& transaction) {
  requests_.push_back(&transaction);
  request_event_.notify(sc_core::SC_ZERO_TIME);
}

// By b_transport, one after the other.
void TlmBridge::serve() {
  if (options_.approximately_timed) return;
  for (;;) {
    while (requests_.empty()) sc_core::wait(request_event_);
    TlmTransaction& t = *requests_.front();
    requests_.pop_front();
    TlmPayload& payload = *t.payload;
    payload.set_address(t.local_address);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    target_side->b_transport(payload, delay);
    sc_core::wait(delay);
    performed(t);
  }
}

// By nb_transport: the next request, when the one before has ended and there is a place for it.
void TlmBridge::ask() {
  if (!options_.approximately_timed) return;
  while (!to_target_.busy() && !requests_.empty() && places_ < options_.target_outstanding) {
    TlmTransaction& t = *requests_.front();
    requests_.pop_front();
    ++places_;
    t.payload->set_address(t.local_address);
    with_target_.emplace(t.payload, &t);
    to_target_.request(*t.payload);
  }
}

tlm::tlm_sync_enum TlmBridge::nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  return to_target_.backward(payload, phase, delay);
}

void TlmBridge::performed(TlmTransaction& t) {
  t.payload->set_address(t.address);
  t.payload->set_dmi_allowed(false);
  if (carrier_.answer(t)) return;
  answer_left();
  carrier_.answer_at_once(t);
}

// The place of its request is free again.
void TlmBridge::answer_left() {
  if (!options_.approximately_timed) return;
  --places_;
  ask();
}

}  // namespace weft

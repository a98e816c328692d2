#include "workload/tlm_phases.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

bool is_one_of(const tlm::tlm_phase& phase, tlm::tlm_phase_enum one, tlm::tlm_phase_enum other) {
  return phase == one || phase == other;
}

}  // namespace

TlmTargetPhases::TlmTargetPhases(Owner owner) : owner_(std::move(owner)), phases_(this, &TlmTargetPhases::due) {}

tlm::tlm_sync_enum TlmTargetPhases::forward(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (response_ != &payload || ending_) {
      owner_.misused("END_RESP of a transaction that is not between BEGIN_RESP and END_RESP");
      return tlm::TLM_ACCEPTED;
    }
    ending_ = true;
    phases_.notify(payload, phase, delay);
    return tlm::TLM_COMPLETED;
  }
  if (is_one_of(phase, tlm::END_REQ, tlm::BEGIN_RESP)) {
    owner_.misused("an initiator calls END_REQ or BEGIN_RESP, which are phases of targets");
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an extended phase, which may be ignored
  if (open_.count(&payload) > 0) {                        // it goes on as before
    owner_.misused("BEGIN_REQ of a transaction that is under way");
    return tlm::TLM_ACCEPTED;
  }
  std::string wrong;
  if (!payload.has_mm()) wrong = "BEGIN_REQ of a transaction without a memory manager";
  if (request_ != nullptr) wrong = "BEGIN_REQ before the END_REQ of the transaction before";
  if (!wrong.empty()) {
    owner_.misused(wrong);
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  open_.insert(&payload);
  request_ = &payload;
  begun_ = false;
  accepted_ = false;
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

// The time of a phase has come: of one of the initiator, of END_REQ for it, or of looking for a response to begin.
void TlmTargetPhases::due(TlmPayload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    begun_ = true;
    return accept();
  }
  if (phase == tlm::BEGIN_RESP) return begin_response();
  if (phase == tlm::END_REQ) {
    request_ = nullptr;
    tlm::tlm_phase end = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    owner_.backward(payload, end, delay);
    return begin_response();  // it may be there already
  }
  if (const TlmId* id = payload.get_extension<TlmId>()) {
    const auto it = by_id_.find(id->id);
    it->second.pop_front();
    if (it->second.empty()) by_id_.erase(it);
  }
  response_ = nullptr;
  --accepted_count_;
  open_.erase(&payload);
  payload.release();
  accept();
  begin_response();
}

void TlmTargetPhases::accept() {
  if (request_ == nullptr || !begun_ || accepted_ || accepted_count_ >= limit_) return;
  accepted_ = true;
  ++accepted_count_;
  TlmPayload& payload = *request_;
  if (const TlmId* id = payload.get_extension<TlmId>()) by_id_[id->id].push_back(&payload);
  phases_.notify(payload, tlm::END_REQ, owner_.accepted(payload));
}

void TlmTargetPhases::respond(TlmPayload& payload) {
  responses_.push_back(&payload);
  phases_.notify(payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME);
}

TlmPayload* TlmTargetPhases::next_response() {
  const auto may = [&](TlmPayload* p) {
    if (p == request_) return false;
    const TlmId* id = p->get_extension<TlmId>();
    return id == nullptr || by_id_.at(id->id).front() == p;
  };
  const auto it = std::find_if(responses_.begin(), responses_.end(), may);
  if (it == responses_.end()) return nullptr;
  TlmPayload* const out = *it;
  responses_.erase(it);
  return out;
}

void TlmTargetPhases::begin_response() {
  if (response_ != nullptr) return;
  response_ = next_response();
  if (response_ == nullptr) return;
  ending_ = false;
  TlmPayload& payload = *response_;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = owner_.backward(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)) return;
  if (std::exchange(ending_, true)) {
    owner_.misused("END_RESP of a transaction is called, and returned for its BEGIN_RESP");
  } else {
    phases_.notify(payload, tlm::END_RESP, delay);
  }
}

TlmInitiatorPhases::TlmInitiatorPhases(Owner owner)
    : owner_(std::move(owner)), phases_(this, &TlmInitiatorPhases::due) {}

void TlmInitiatorPhases::request(TlmPayload& payload) {
  request_ = &payload;
  State& state = open_[&payload] = {};
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = owner_.forward(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  if (status == tlm::TLM_COMPLETED) phase = tlm::BEGIN_RESP;
  const bool answers = state.answered;
  backward(payload, phase, delay);
  state.completed = status == tlm::TLM_COMPLETED && !answers;
}

tlm::tlm_sync_enum TlmInitiatorPhases::backward(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto open = open_.find(&payload);
  std::string wrong;
  if (is_one_of(phase, tlm::BEGIN_REQ, tlm::END_RESP)) {
    wrong = "a target calls BEGIN_REQ or END_RESP, which are phases of initiators";
  } else if (!is_one_of(phase, tlm::END_REQ, tlm::BEGIN_RESP)) {
    return tlm::TLM_ACCEPTED;  // an extended phase, which may be ignored
  } else if (open == open_.end() || open->second.completed) {
    wrong = "the target answers a transaction that it does not have";
  } else if (open->second.answered) {
    wrong = "the target answers a transaction that it has answered";
  } else if (phase == tlm::END_REQ && open->second.ended) {
    wrong = "END_REQ of a request that has ended";
  }
  if (!wrong.empty()) {
    owner_.misused(wrong);
    return tlm::TLM_ACCEPTED;
  }
  open->second.ended = true;
  open->second.answered = phase == tlm::BEGIN_RESP;
  phases_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

// BEGIN_RESP ends a request as well.
void TlmInitiatorPhases::due(TlmPayload& payload, const tlm::tlm_phase& phase) {
  const bool ended = request_ == &payload;
  if (ended) request_ = nullptr;
  if (phase == tlm::BEGIN_RESP) {
    const auto it = open_.find(&payload);
    const bool completed = it->second.completed;
    open_.erase(it);
    if (!completed) {
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      owner_.forward(payload, end, delay);
    }
    owner_.answered(payload);
  }
  if (ended) owner_.free();
}

}  // namespace weft

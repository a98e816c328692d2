#include "support/tlm_checker.h"

#include <algorithm>
#include <tuple>

namespace weft::test {

TlmChecker::Attributes::Attributes(const Payload& p)
    : command(p.get_command()),
      address(p.get_address()),
      data(p.get_data_ptr()),
      length(p.get_data_length()),
      width(p.get_streaming_width()),
      enables(p.get_byte_enable_ptr()),
      enables_length(p.get_byte_enable_length()) {}

bool TlmChecker::Attributes::operator==(const Attributes& o) const {
  return std::tie(command, address, data, length, width, enables, enables_length) ==
         std::tie(o.command, o.address, o.data, o.length, o.width, o.enables, o.enables_length);
}

TlmChecker::TlmChecker(sc_core::sc_module_name name) : sc_module(name) {
  initiator.register_b_transport(this, &TlmChecker::b_transport);
  initiator.register_nb_transport_fw(this, &TlmChecker::fw);
  initiator.register_transport_dbg(this, &TlmChecker::transport_dbg);
  target.register_nb_transport_bw(this, &TlmChecker::bw);
}

void TlmChecker::expect(bool good, const char* rule) {
  if (good) return;
  ++violations;
  if (first.empty()) first = std::string(name()) + ": " + rule + " (at " + sc_core::sc_time_stamp().to_string() + ")";
}

void TlmChecker::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const Attributes before(payload);
  expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a request has no response status");
  const bool managed = payload.has_mm();
  target->b_transport(payload, delay);
  expect(payload.has_mm() == managed, "a memory manager is taken back with the transaction");
  check_response(payload, before);
  ++completed;
}

tlm::tlm_sync_enum TlmChecker::fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase given = phase;
  const sc_core::sc_time given_delay = delay;
  expect(phase == tlm::BEGIN_REQ || phase == tlm::END_RESP, "an initiator begins requests and ends responses");
  step(payload, given, given_delay);
  const tlm::tlm_sync_enum status = target->nb_transport_fw(payload, phase, delay);
  if (given == tlm::END_RESP) return status;  // nothing can follow
  expect(delay >= given_delay || status == tlm::TLM_ACCEPTED, "the answer of a call comes no earlier than the call");
  if (status == tlm::TLM_UPDATED) {
    expect(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "BEGIN_REQ leads to END_REQ or BEGIN_RESP");
    step(payload, phase, delay);
  } else if (status == tlm::TLM_COMPLETED && open_.count(&payload) > 0) {
    check_response(payload, open_.at(&payload).attributes);
    end(payload);
  }
  return status;
}

tlm::tlm_sync_enum TlmChecker::bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase given = phase;
  expect(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "a target ends requests and begins responses");
  step(payload, given, delay);
  const tlm::tlm_sync_enum status = initiator->nb_transport_bw(payload, phase, delay);
  if (given == tlm::END_REQ) {
    expect(status == tlm::TLM_ACCEPTED, "END_REQ is accepted");
  } else if (status == tlm::TLM_UPDATED) {
    expect(phase == tlm::END_RESP, "BEGIN_RESP leads to END_RESP");
    step(payload, phase, delay);
  } else if (status == tlm::TLM_COMPLETED) {
    step(payload, tlm::END_RESP, delay);
  }
  return status;
}

void TlmChecker::begin(Payload& payload, const sc_core::sc_time& time) {
  expect(payload.has_mm() && payload.get_ref_count() > 0, "a non-blocking transaction has a memory manager");
  expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "a request has no response status");
  expect(open_.count(&payload) == 0, "a transaction begins once");
  expect(request_ == nullptr, "a request begins after the one before has ended");
  request_ = &payload;
  open_.insert_or_assign(&payload, Open{Attributes(payload), At::request, time});
  most = std::max<std::uint64_t>(most, open_.size());
}

void TlmChecker::step(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
  if (phase == tlm::BEGIN_REQ) return begin(payload, time);
  const auto it = open_.find(&payload);
  expect(it != open_.end(), "a phase belongs to a transaction that has begun");
  if (it == open_.end()) return;
  Open& t = it->second;
  expect(time >= t.time, "phases of a transaction come at times that do not decrease");
  t.time = time;
  if (phase == tlm::END_REQ) {
    expect(t.at == At::request, "END_REQ follows BEGIN_REQ");
    t.at = At::requested;
    request_ = nullptr;
  } else if (phase == tlm::BEGIN_RESP) {
    expect(t.at == At::request || t.at == At::requested, "BEGIN_RESP follows the request");
    expect(response_ == nullptr, "a response begins after the one before has ended");
    if (t.at == At::request) request_ = nullptr;
    t.at = At::response;
    response_ = &payload;
    check_response(payload, t.attributes);
  } else {
    expect(t.at == At::response && response_ == &payload, "END_RESP follows BEGIN_RESP");
    end(payload);
  }
}

void TlmChecker::check_response(const Payload& payload, const Attributes& before) {
  expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "a response has a status");
  expect(!payload.is_dmi_allowed(), "DMI is not allowed");
  expect(Attributes(payload) == before, "the attributes of a transaction stay as they are");
}

void TlmChecker::end(Payload& payload) {
  if (request_ == &payload) request_ = nullptr;
  if (response_ == &payload) response_ = nullptr;
  open_.erase(&payload);
  ++completed;
}

}  // namespace weft::test

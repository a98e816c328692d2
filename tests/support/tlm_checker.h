#pragma once
// Checker of the TLM-2.0 base protocol (IEEE 1666-2011, 15.2): stands between an initiator and a target and passes
// every call on. Rules that it holds both sides to: phases of a transaction in order and from the right side; one
// transaction between BEGIN_REQ and END_REQ, and one between BEGIN_RESP and END_RESP, at a time; phases of a
// transaction at times that do not decrease; a memory manager behind non-blocking transactions; attributes that stay as
// they are; a response status that is there when the response is, and not before; DMI not allowed.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>

namespace weft::test {

class TlmChecker final : public sc_core::sc_module {
 public:
  explicit TlmChecker(sc_core::sc_module_name name);
  tlm_utils::simple_target_socket<TlmChecker> initiator{"initiator"};  ///< to be bound to the initiator
  tlm_utils::simple_initiator_socket<TlmChecker> target{"target"};     ///< and to the target

  std::uint64_t violations = 0;
  std::string first;            ///< violation
  std::uint64_t completed = 0;  ///< transactions, by either interface
  std::uint64_t unfinished() const { return open_.size(); }
  std::uint64_t most = 0;  ///< that were open at once

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Attributes {
    explicit Attributes(const Payload& p);
    bool operator==(const Attributes& o) const;
    tlm::tlm_command command;
    sc_dt::uint64 address;
    unsigned char* data;
    unsigned length;
    unsigned width;
    unsigned char* enables;
    unsigned enables_length;
  };
  enum class At { request, requested, response, responded };
  struct Open {
    Attributes attributes;
    At at;
    sc_core::sc_time time;  ///< of the last phase
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload) { return target->transport_dbg(payload); }
  tlm::tlm_sync_enum fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void step(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void begin(Payload& payload, const sc_core::sc_time& time);
  void check_response(const Payload& payload, const Attributes& before);
  void end(Payload& payload);
  void expect(bool good, const char* rule);

  std::map<Payload*, Open> open_;
  Payload* request_ = nullptr;
  Payload* response_ = nullptr;
};

}  // namespace weft::test

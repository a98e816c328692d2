#pragma once
// The two sides of the TLM-2.0 base protocol by nb_transport (IEEE 1666-2011, 15.2), for modules that stand between:
// phases in their order and at their annotated times, one request and one response at a time, limits, order by number.
// What a transaction does is the affair of the owner, who binds the calls to a socket.

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <unordered_set>

namespace weft {

/// Ignorable extension: answers to transactions of one socket with the same number come in the order of the requests.
class TlmId final : public tlm::tlm_extension<TlmId> {
 public:
  explicit TlmId(std::uint32_t number = 0) : id(number) {}
  tlm::tlm_extension_base* clone() const override { return new TlmId(id); }
  void copy_from(const tlm::tlm_extension_base& other) override { id = static_cast<const TlmId&>(other).id; }
  std::uint32_t id;
};

using TlmPayload = tlm::tlm_generic_payload;

/// Bytes of the target that a transaction touches from its address on: with a streaming width shorter than the data,
/// the address begins again.
inline unsigned int span_of(const TlmPayload& payload) {
  const unsigned int width = payload.get_streaming_width();
  return width == 0 ? payload.get_data_length() : std::min(width, payload.get_data_length());
}

/// Of a target. Transactions that are accepted are kept (acquire) until their END_RESP.
class TlmTargetPhases {
 public:
  struct Owner {
    /// Of the socket.
    std::function<tlm::tlm_sync_enum(TlmPayload&, tlm::tlm_phase&, sc_core::sc_time&)> backward;
    /// A request is accepted, at its time. Returns the time from now to its END_REQ.
    std::function<sc_core::sc_time(TlmPayload&)> accepted;
    /// A call against the protocol; it has no effect.
    std::function<void(const std::string&)> misused;
  };
  explicit TlmTargetPhases(Owner owner);
  /// Transactions at once, at least 1: the next one is accepted at the END_RESP of one of them.
  void limit(std::uint32_t outstanding) { limit_ = outstanding; }
  /// For nb_transport_fw.
  tlm::tlm_sync_enum forward(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  /// The response is there. BEGIN_RESP comes when it may: in a later delta cycle, behind END_REQ, one after the other
  /// in the order of these calls, those of one TlmId in the order of their requests.
  void respond(TlmPayload& payload);

 private:
  void due(TlmPayload& payload, const tlm::tlm_phase& phase);
  void accept();
  void begin_response();
  TlmPayload* next_response();

  Owner owner_;
  std::uint32_t limit_ = 1;
  std::unordered_set<TlmPayload*> open_;
  std::uint32_t accepted_count_ = 0;
  TlmPayload* request_ = nullptr;  // between BEGIN_REQ and END_REQ
  bool begun_ = false;             // the time of its BEGIN_REQ has come
  bool accepted_ = false;
  TlmPayload* response_ = nullptr;  // between BEGIN_RESP and END_RESP
  bool ending_ = false;             // its END_RESP has been called, and its time may not have come
  std::deque<TlmPayload*> responses_;
  std::unordered_map<std::uint32_t, std::deque<TlmPayload*>> by_id_;
  tlm_utils::peq_with_cb_and_phase<TlmTargetPhases> phases_;
};

/// Of an initiator. A response is ended when it comes.
class TlmInitiatorPhases {
 public:
  struct Owner {
    /// Of the socket.
    std::function<tlm::tlm_sync_enum(TlmPayload&, tlm::tlm_phase&, sc_core::sc_time&)> forward;
    /// The request has ended: request() may be called.
    std::function<void()> free;
    /// The response is there, at its time.
    std::function<void(TlmPayload&)> answered;
    /// As above.
    std::function<void(const std::string&)> misused;
  };
  explicit TlmInitiatorPhases(Owner owner);
  bool busy() const { return request_ != nullptr; }
  /// Precondition: not busy(). The payload has a memory manager, and is kept by the owner until it is answered.
  void request(TlmPayload& payload);
  /// For nb_transport_bw.
  tlm::tlm_sync_enum backward(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

 private:
  /// What the target has called, whether or not its time has come.
  struct State {
    bool ended = false;      ///< END_REQ
    bool answered = false;   ///< BEGIN_RESP
    bool completed = false;  ///< it has completed the transaction, and expects no END_RESP
  };
  void due(TlmPayload& payload, const tlm::tlm_phase& phase);

  Owner owner_;
  TlmPayload* request_ = nullptr;  // between BEGIN_REQ and END_REQ
  std::unordered_map<TlmPayload*, State> open_;
  tlm_utils::peq_with_cb_and_phase<TlmInitiatorPhases> phases_;
};

}  // namespace weft

// Calls against the base protocol by nb_transport: each is told of once and has no effect, also while an earlier call
// with an annotated time has not taken effect.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "support/child.h"
#include "workload/tlm_phases.h"

namespace weft::test {
namespace {

using sc_core::sc_time;
using ::testing::HasSubstr;

struct Keeper : tlm::tlm_mm_interface {
  void free(TlmPayload*) override { ++freed; }
  int freed = 0;
};

// What has happened, as text: calls to the other side, and complaints.
class Log {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "" : "; ") + what; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string name_of(const tlm::tlm_phase& phase) { return phase.get_name(); }

// Runs `script` in a thread, with time behind it.
std::string in_simulation(const std::function<void()>& script) {
  sc_core::sc_spawn(script);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  return "";
}

struct InitiatorBench {
  Log log;
  Keeper keeper;
  TlmPayload payload{&keeper};
  tlm::tlm_sync_enum returns = tlm::TLM_ACCEPTED;
  TlmInitiatorPhases phases{{[this](TlmPayload&, tlm::tlm_phase& phase, sc_time&) {
                               log.add("to target " + name_of(phase));
                               return phase == tlm::BEGIN_REQ ? returns : tlm::TLM_ACCEPTED;
                             },
                             [this] { log.add("free"); }, [this](TlmPayload&) { log.add("answered"); },
                             [this](const std::string& what) { log.add("wrong: " + what); }}};
  void call(tlm::tlm_phase phase, double ns = 0) {
    sc_time delay(ns, sc_core::SC_NS);
    phases.backward(payload, phase, delay);
  }
  InitiatorBench() { payload.acquire(); }
};

std::string with_initiator(const std::function<void(InitiatorBench&)>& script) {
  const ChildResult child = in_child([&] {
    InitiatorBench bench;
    in_simulation([&] { script(bench); });
    return bench.log.text();
  });
  return child.text;
}

TEST(TlmPhases, ATargetAnswersATransactionOnce) {
  for (const double ns : {0.0, 30.0}) {
    EXPECT_EQ(
        with_initiator([&](InitiatorBench& b) {
          b.phases.request(b.payload);
          b.call(tlm::END_REQ);
          b.call(tlm::END_REQ);
          b.call(tlm::BEGIN_RESP, ns);
          b.call(tlm::BEGIN_RESP, ns);
          b.call(tlm::END_REQ);
        }),
        "to target BEGIN_REQ; wrong: END_REQ of a request that has ended; wrong: the target answers a transaction "
        "that it has answered; wrong: the target answers a transaction that it has answered; free; to target "
        "END_RESP; answered");
  }
}

TEST(TlmPhases, ATargetCallsOnlyItsOwnPhases) {
  EXPECT_EQ(with_initiator([](InitiatorBench& b) {
              b.call(tlm::BEGIN_RESP);
              b.phases.request(b.payload);
              b.call(tlm::END_RESP);
              b.call(tlm::BEGIN_RESP);
            }),
            "wrong: the target answers a transaction that it does not have; to target BEGIN_REQ; wrong: a target calls "
            "BEGIN_REQ or END_RESP, which are phases of initiators; to target END_RESP; answered; free");
}

TEST(TlmPhases, ATransactionThatTheTargetHasCompletedIsOver) {
  EXPECT_EQ(with_initiator([](InitiatorBench& b) {
              b.returns = tlm::TLM_COMPLETED;
              b.phases.request(b.payload);
              b.call(tlm::BEGIN_RESP);
            }),
            "to target BEGIN_REQ; wrong: the target answers a transaction that it does not have; answered; free");
}

struct TargetBench {
  Log log;
  Keeper keeper;
  TlmPayload payload{&keeper};
  TlmPayload other{&keeper};
  tlm::tlm_sync_enum returns = tlm::TLM_ACCEPTED;  // for BEGIN_RESP
  std::function<void()> at_response = [] {};
  TlmTargetPhases phases{{[this](TlmPayload&, tlm::tlm_phase& phase, sc_time&) {
                            log.add("to initiator " + name_of(phase));
                            if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
                            at_response();
                            return returns;
                          },
                          [this](TlmPayload&) {
                            log.add("accepted");
                            return sc_time(10, sc_core::SC_NS);
                          },
                          [this](const std::string& what) { log.add("wrong: " + what); }}};
  TargetBench() {
    payload.acquire();
    other.acquire();
  }
  void call(TlmPayload& p, tlm::tlm_phase phase, double ns = 0) {
    sc_time delay(ns, sc_core::SC_NS);
    phases.forward(p, phase, delay);
  }
};

std::string with_target(const std::function<void(TargetBench&)>& script) {
  const ChildResult child = in_child([&] {
    TargetBench bench;
    in_simulation([&] { script(bench); });
    bench.log.add(std::to_string(bench.payload.get_ref_count()) + std::to_string(bench.other.get_ref_count()));
    return bench.log.text();
  });
  return child.text;
}

// The payload keeps the reference of its owner, and the socket takes the next transaction.
TEST(TlmPhases, AnInitiatorEndsAResponseOnce) {
  for (const double ns : {0.0, 30.0}) {
    EXPECT_EQ(with_target([&](TargetBench& b) {
                b.call(b.payload, tlm::BEGIN_REQ);
                b.call(b.payload, tlm::END_REQ);
                sc_core::wait(20, sc_core::SC_NS);
                b.phases.respond(b.payload);
                sc_core::wait(20, sc_core::SC_NS);
                b.call(b.payload, tlm::END_RESP, ns);
                b.call(b.payload, tlm::END_RESP, ns);
                sc_core::wait(40, sc_core::SC_NS);
                b.call(b.other, tlm::BEGIN_REQ);
              }),
              "wrong: an initiator calls END_REQ or BEGIN_RESP, which are phases of targets; accepted; to initiator "
              "END_REQ; to initiator BEGIN_RESP; wrong: END_RESP of a transaction that is not between BEGIN_RESP and "
              "END_RESP; accepted; to initiator END_REQ; 12");
  }
}

TEST(TlmPhases, AnInitiatorEndsAResponseByACallOrAReturnValue) {
  EXPECT_THAT(with_target([](TargetBench& b) {
                b.returns = tlm::TLM_COMPLETED;
                b.at_response = [&] { b.call(b.payload, tlm::END_RESP); };
                b.call(b.payload, tlm::BEGIN_REQ);
                sc_core::wait(20, sc_core::SC_NS);
                b.phases.respond(b.payload);
              }),
              HasSubstr("to initiator BEGIN_RESP; wrong: END_RESP of a transaction is called, and returned for its "
                        "BEGIN_RESP; 11"));
}

}  // namespace
}  // namespace weft::test

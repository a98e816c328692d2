#pragma once
// Initiators and targets with random behaviour, for tests of what is between them: every choice that the TLM-2.0 base
// protocol leaves to them is drawn.

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/random.h"

namespace weft::test {

/// Where an initiator may write: a part of each memory of its own, so that it knows what is there.
struct TlmPlan {
  sc_dt::uint64 base = 0;  ///< of the first memory
  unsigned memory = 0;     ///< bytes of a memory
  unsigned memories = 1;
  unsigned part = 0;    ///< bytes of an initiator's part of a memory
  unsigned number = 0;  ///< of the initiator, and of its part
  std::uint64_t transactions = 0;
  sc_core::sc_time pause;  ///< mean between two of them
};

/// Writes, reads and reads with byte enables and short streaming widths, to random places of the plan.
class TlmAccesses {
 public:
  struct Access {
    std::vector<unsigned char> data;
    std::vector<unsigned char> enables;
    std::vector<unsigned char> expected;  ///< of a read, disabled bytes as they were
  };
  TlmAccesses(const TlmPlan& plan, std::uint64_t seed);
  /// The next one, with its effect on what is expected. The payload refers to `access`.
  void make(tlm::tlm_generic_payload& payload, Access& access);
  RandomStream& random() { return random_; }
  sc_core::sc_time pause() { return plan_.pause * (2 * random_.uniform()); }

 private:
  TlmPlan plan_;
  RandomStream random_;
  std::vector<std::vector<unsigned char>> contents_;
};

/// By nb_transport, as many at once as it is let.
class AtInitiator final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(AtInitiator);
  AtInitiator(sc_core::sc_module_name name, const TlmPlan& plan, std::uint64_t seed);
  ~AtInitiator() override;
  tlm_utils::simple_initiator_socket<AtInitiator> socket{"socket"};
  std::string wrong;  ///< the first thing
  std::uint64_t answered = 0;
  std::uint64_t overtaken = 0;  ///< answers that came before that of an earlier request
  std::uint64_t leaked() const { return made_ - free_.size(); }

 private:
  struct Item {
    tlm::tlm_generic_payload payload;
    TlmAccesses::Access access;
    std::uint64_t number = 0;
    std::uint32_t id = 0;
    bool ends_itself = false;  ///< END_RESP is a call of the initiator
  };
  void work();
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void phase_due(tlm::tlm_generic_payload&, const tlm::tlm_phase&);
  void take(Item& item);
  void free(tlm::tlm_generic_payload* payload) override;
  Item& item();

  const TlmPlan plan_;
  TlmAccesses accesses_;
  sc_core::sc_event end_request_;
  bool requesting_ = false;
  tlm_utils::peq_with_cb_and_phase<AtInitiator> phases_;
  std::map<tlm::tlm_generic_payload*, std::unique_ptr<Item>> items_;
  std::vector<Item*> free_;
  std::uint64_t made_ = 0;
  std::map<std::uint32_t, std::deque<std::uint64_t>> by_id_;
  std::deque<std::uint64_t> open_;
};

/// By b_transport, ahead of the kernel's time by up to the global quantum.
class LtInitiator final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LtInitiator);
  LtInitiator(sc_core::sc_module_name name, const TlmPlan& plan, std::uint64_t seed);
  tlm_utils::simple_initiator_socket<LtInitiator> socket{"socket"};
  std::string wrong;
  std::uint64_t answered = 0;

 private:
  void work();
  const TlmPlan plan_;
  TlmAccesses accesses_;
};

/// A memory that answers in any order, in each of the ways that the protocol allows.
class AtMemory final : public sc_core::sc_module {
 public:
  AtMemory(sc_core::sc_module_name name, unsigned bytes, std::uint64_t seed, sc_core::sc_time slowest);
  tlm_utils::simple_target_socket<AtMemory> socket{"socket"};
  std::uint64_t most = 0;  ///< requests that were here at once

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void phase_due(tlm::tlm_generic_payload&, const tlm::tlm_phase&);
  void respond();
  void perform(tlm::tlm_generic_payload& payload);
  sc_core::sc_time some() { return slowest_ * random_.uniform(); }

  std::vector<unsigned char> bytes_;
  RandomStream random_;
  const sc_core::sc_time slowest_;
  tlm_utils::peq_with_cb_and_phase<AtMemory> phases_;
  std::deque<tlm::tlm_generic_payload*> ready_;
  tlm::tlm_generic_payload* responding_ = nullptr;
  std::uint64_t here_ = 0;
};

}  // namespace weft::test

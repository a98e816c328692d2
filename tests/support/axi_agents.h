#pragma once
// AXI4 for tests of what is between a manager and a subordinate: a manager and a memory with random behaviour. Each
// works on plain values, a step per clock (workload/axi/axi_pins.h).

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "workload/axi/axi_pins.h"

namespace weft::test {

struct AxiPlan {
  std::uint32_t bus = 8;
  std::uint32_t ids = 4;
  std::uint64_t base = 0;    ///< of what the manager has for itself, a multiple of 4 KiB
  std::uint64_t stride = 0;  ///< between such places in the memories
  std::uint32_t memories = 1;
  std::uint32_t part = 256;  ///< bytes per ID and memory
  std::uint64_t nobody = 0;  ///< an address that nobody owns; 0: is not tried
  std::uint64_t bursts = 0;
  std::uint32_t pause = 0;  ///< cycles between bursts, at most
  std::uint64_t next = 0;   ///< from the manager's bytes to those that it has after a reset
  bool may_fail = false;    ///< other ends are reset: bursts may end with SLVERR
};

/// Bursts of all kinds, several per ID at once. No ID reads and writes at the same time, since AXI has no order between
/// them; each has its own bytes, so it knows what it reads.
class AxiTraffic {
 public:
  AxiTraffic(const AxiPlan& plan, std::uint64_t seed);
  const axi::ManagerPins& clock(const axi::SubordinatePins& in);
  /// A rising edge in reset. What comes behind it has bytes of its own, since bursts before it may still be under way.
  const axi::ManagerPins& reset();
  std::uint64_t answered = 0;
  std::uint64_t forgotten = 0;  ///< in resets
  std::uint64_t failed = 0;
  std::uint64_t errors = 0;  ///< that were expected
  std::uint64_t overtaken = 0;
  std::string wrong;

 private:
  struct ReadBeat {
    std::vector<unsigned char> bytes;
    std::vector<bool> unknown;  ///< bytes that a failed write may or may not have changed
  };
  struct Access {
    axi::Address address;
    std::deque<ReadBeat> expected;
    bool error = false;
    std::uint64_t number = 0;
  };
  void make();
  axi::Address address(std::uint64_t part);
  std::uint64_t part_of(std::uint64_t memory, std::uint32_t id) const {
    return plan_.base + memory * plan_.stride + id * plan_.part;
  }
  void forget(std::uint32_t id);
  void take(bool write, std::uint32_t id, axi::Response response, const std::vector<unsigned char>* bytes, bool last);

  AxiPlan plan_;
  RandomStream random_;
  axi::ManagerPins out_;
  std::map<std::uint64_t, unsigned char> contents_;  // where missing: 0, or unknown for IDs in `unsure_`
  std::set<std::uint32_t> unsure_;
  std::deque<axi::Address> addresses_[2];
  std::deque<std::pair<axi::Data, bool>> data_;
  std::map<std::uint32_t, std::deque<Access>> open_[2];
  std::map<std::uint64_t, bool> all_open_;
  std::uint64_t made_ = 0;
  std::uint32_t wait_ = 0;
  bool in_reset_ = false;
};

/// A memory: answers when it likes, IDs in any order, read data interleaved.
class AxiMemory {
 public:
  AxiMemory(std::uint32_t bus, std::uint32_t bytes, std::uint64_t seed);
  const axi::SubordinatePins& clock(const axi::ManagerPins& in);
  /// A rising edge in reset: forgets what it was asked, keeps its bytes.
  const axi::SubordinatePins& reset();

 private:
  struct Read {
    axi::Address address;
    std::uint32_t beat = 0;
  };
  const std::uint32_t bus_;
  std::vector<unsigned char> bytes_;
  RandomStream random_;
  axi::SubordinatePins out_;
  std::deque<axi::Address> aw_;
  std::deque<axi::Data> w_;
  std::uint32_t beats_ = 0;
  std::map<std::uint32_t, std::uint32_t> b_;
  std::map<std::uint32_t, std::deque<Read>> r_;
};

}  // namespace weft::test

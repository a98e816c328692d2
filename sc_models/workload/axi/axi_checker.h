#pragma once
// Rules of IHI 0022 at the pins of an AXI4 interface, of both sides at once. The ports hold the modules at their pins
// to them; axi::CheckerPort does so for any other pins.
//
//   weft::axi::CheckerPort<32, 64, 4> checker("checker", pins);   // a module; violations are sc_report errors
//   checker.clk(clock);
//   checker.rst_n(reset_n);

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workload/axi/axi_pins.h"
#include "workload/axi/axi_port.h"

namespace weft::axi {

/// What is valid stays as it is until it is taken; bursts keep the rules of bursts (axi_burst.h); W beats and WLAST are
/// as AW says, in the order of AW, with WSTRB for bytes of the beat only; B comes behind the last W, R behind AR, in
/// the order of each ID; RLAST is at the last beat.
///
/// It counts beats as AxLEN says, so a WLAST or RLAST at a wrong beat does not end a burst.
class Checker : public RuleChecker {
 public:
  /// `bus`: bytes of the data bus. `report`: called for each violation, at the edge that samples it.
  Checker(std::string name, std::uint32_t bus, Report report = {})
      : RuleChecker(std::move(name), std::move(report)), bus_(bus) {}
  /// Pins as they are before a rising edge.
  void clock(const ManagerPins& m, const SubordinatePins& s);
  template <class Pins>
  void clock_pins(const Pins& pins) {
    clock(pins.manager(), pins.subordinate());
  }
  /// A rising edge in reset: everything is forgotten but the figures below.
  void reset();

  std::uint64_t bursts = 0;       ///< that are over
  std::uint64_t interleaved = 0;  ///< R beats between those of another burst
  std::size_t open() const;       ///< bursts, and W beats before their AW

  /// What the present edge makes of the B and R that are valid.
  enum class Answer : std::uint8_t {
    none,
    due,
    early,   ///< B before the last W of its burst was taken
    unasked  ///< no burst of this ID is under way
  };
  Answer b() const { return b_; }
  Answer r() const { return r_; }

 private:
  struct Read {
    Address address;
    std::uint32_t beats = 0;  // that have come
  };
  struct Writes {                // of an ID, in the order of AW
    std::deque<Address> open;    // that have no B
    std::uint64_t complete = 0;  // of the first of these the data are there
    std::uint64_t answered = 0;  // that have a B, but not all their data
  };
  struct WriteBeat {  // of W
    bool last = false;
    std::vector<bool> strobes;
  };
  void check_stable(const ManagerPins& m, const SubordinatePins& s);
  void check_b(const SubordinatePins& s, bool seen, bool taken);
  void check_r(const SubordinatePins& s, bool seen, bool taken);
  void take_w(const WriteBeat& w);
  std::string burst_of_w() const;
  std::string burst_of_r(std::uint32_t id) const;

  const std::uint32_t bus_;
  ManagerPins m_;  // before the edge before, as far as it was not taken
  SubordinatePins s_;
  std::array<bool, 5> waits_{};  // AW, W, B, AR, R
  Answer b_ = Answer::none;
  Answer r_ = Answer::none;
  std::deque<Address> aw_;     // whose data are to come
  std::deque<WriteBeat> w_;    // that came before their AW
  std::uint32_t w_beats_ = 0;  // of the first of aw_
  std::map<std::uint32_t, Writes> writes_;
  std::map<std::uint32_t, std::deque<Read>> reads_;
  std::uint32_t last_r_ = 0;
  bool within_ = false;
};

/// With clock and reset.
template <unsigned AddressBits, unsigned DataBits, unsigned IdBits>
using CheckerPort = CheckerModule<Checker, Signals<AddressBits, DataBits, IdBits>>;

}  // namespace weft::axi

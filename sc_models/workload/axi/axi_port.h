#pragma once
// Pins around the state behind them: a module of its own clock and reset that steps its core at each rising edge, with
// what the other side drives before it, and drives behind it what the core returns.

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <type_traits>
#include <utility>

namespace weft::axi {

/// What counts the rising edges of its clock, and names the present one in its messages.
class ClockedModule : public sc_core::sc_module {
 public:
  /// Rising edges of the clock before the present one, or the last one: of an sc_clock that begins with a rising edge
  /// at time 0, the time of the edge in periods.
  std::uint64_t cycle() const { return edges_ == 0 ? 0 : edges_ - 1; }

 protected:
  explicit ClockedModule(sc_core::sc_module_name name) : sc_module(name) {}
  void count_edge() { ++edges_; }
  /// An sc_report error or warning: "name, cycle 12: what".
  void misused(const std::string& what) const;
  void warn(const std::string& what) const;

 private:
  std::string message(const std::string& what) const;
  std::uint64_t edges_ = 0;
};

/// `Core`: Subordinate, Manager, StreamReceiver or StreamTransmitter; `PinSet`: Signals or StreamSignals.
template <class Core, class PinSet>
class Port final : public Core {
 public:
  using Pins = PinSet;
  SC_HAS_PROCESS(Port);
  Port(sc_core::sc_module_name name, Pins& pins, const typename Core::Options& options = {})
      : Core(name, Pins::kBus, options), pins_(pins) {
    if constexpr (requires { this->limit_to(Pins::kWidths); }) this->limit_to(Pins::kWidths);
    SC_METHOD(edge);
    this->sensitive << clk.pos();
    this->dont_initialize();
  }
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

 private:
  void edge() { pins_.drive(rst_n.read() ? this->clock(pins_.seen_by(*this)) : this->reset()); }
  Pins& pins_;
};

/// What checkers of rules have in common: they count violations and tell of each at the edge that samples it.
class RuleChecker {
 public:
  using Report = std::function<void(const std::string& what)>;
  std::uint64_t violations = 0;
  std::string first;  ///< of them, with the name and the edge

 protected:
  RuleChecker(std::string name, Report report) : name_(std::move(name)), report_(std::move(report)) {}
  void count_edge() { ++edge_; }
  void violated(const std::string& rule);

 private:
  const std::string name_;
  const Report report_;
  std::uint64_t edge_ = 0;
};

/// A checker beside the pins of modules that are not Weft's. What they do against the rules is an sc_report error.
/// `Rules`: Checker or StreamChecker.
template <class Rules, class PinSet>
class CheckerModule final : public ClockedModule {
 public:
  SC_HAS_PROCESS(CheckerModule);
  CheckerModule(sc_core::sc_module_name name, const PinSet& pins)
      : ClockedModule(name),
        rules(make(this->name(), [this](const std::string& what) { misused(what); })),
        pins_(pins) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};
  Rules rules;

 private:
  static Rules make(const std::string& name, typename Rules::Report report) {
    if constexpr (std::is_constructible_v<Rules, std::string, std::uint32_t, typename Rules::Report>) {
      return Rules(name, PinSet::kBus, std::move(report));
    } else {
      return Rules(name, std::move(report));
    }
  }
  void edge() {
    count_edge();
    if (rst_n.read()) {
      rules.clock_pins(pins_);
    } else {
      rules.reset();
    }
  }
  const PinSet& pins_;
};

}  // namespace weft::axi

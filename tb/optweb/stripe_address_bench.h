#pragma once
// Bench of stripe_address: requests at any pace; every response, also to refused ones, is compared with the plain
// class, one cycle after its request, and the outputs must be quiet in all other cycles.

#include <functional>
#include <optional>
#include <utility>

#include "algorithms/optweb/stripe_address.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

template <class Dut>
class StripeAddressBench final : public PinBench<Dut> {
 public:
  struct Inputs {
    bool reset_n = true;
    std::optional<optweb::StripeRequest> request;
  };
  using Source = std::function<Inputs()>;

  StripeAddressBench(const sc_core::sc_module_name& name, const optweb::StripeGeometry& geometry)
      : PinBench<Dut>(name), reference_(geometry) {
    Dut& dut = this->dut();
    dut.req_valid_i(valid_);
    dut.req_base_i(base_);
    dut.req_size_i(size_);
    dut.req_index_i(index_);
    dut.rsp_valid_o(answered_);
    dut.rsp_address_o(address_);
    dut.rsp_interfaces_o(interfaces_);
    dut.rsp_range_o(range_);
    dut.rsp_overlap_o(overlap_);
  }

  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// Responses by their error.
  std::uint64_t answers(optweb::StripeError error) const { return answers_[static_cast<std::size_t>(error)]; }

 private:
  void drive() override {
    const Inputs in = source_();
    expected_ = next_;
    next_.reset();
    known_ = after_reset_;
    after_reset_ = after_reset_ || !in.reset_n;
    if (in.request && in.reset_n) next_ = reference_.translate(*in.request);
    this->rst_n().write(in.reset_n);
    valid_.write(in.request.has_value());
    const optweb::StripeRequest request = in.request.value_or(optweb::StripeRequest{});
    base_.write(static_cast<PinValue<decltype(Dut::req_base_i)>>(request.base));
    size_.write(static_cast<PinValue<decltype(Dut::req_size_i)>>(request.size));
    index_.write(static_cast<PinValue<decltype(Dut::req_index_i)>>(request.index));
  }

  void monitor() override {
    if (!known_) return;  // no reset yet
    optweb::StripeResponse seen;
    seen.address = address_.read();
    seen.interfaces = static_cast<std::uint8_t>(interfaces_.read());
    if (range_.read()) seen.error = optweb::StripeError::kRange;
    if (overlap_.read()) seen.error = optweb::StripeError::kOverlap;
    const optweb::StripeResponse expected = expected_.value_or(optweb::StripeResponse{});
    if (answered_.read() != expected_.has_value() || !(seen == expected) || (range_.read() && overlap_.read())) {
      this->errors().add(
          this->cycle(),
          fmt::format("answered {:d} address {:#x} interfaces {} error {} instead of {:d} {:#x} {} {}",
                      answered_.read(), seen.address, seen.interfaces, static_cast<int>(seen.error),
                      expected_.has_value(), expected.address, expected.interfaces, static_cast<int>(expected.error)));
    }
    if (expected_) ++answers_[static_cast<std::size_t>(expected.error)];
  }

  optweb::StripeAddress reference_;
  std::optional<optweb::StripeResponse> expected_;
  std::optional<optweb::StripeResponse> next_;
  bool known_ = false;
  bool after_reset_ = false;
  std::uint64_t answers_[3] = {};
  Source source_;

  sc_core::sc_signal<bool> valid_{"req_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_base_i)>> base_{"req_base"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_size_i)>> size_{"req_size"};
  sc_core::sc_signal<PinValue<decltype(Dut::req_index_i)>> index_{"req_index"};
  sc_core::sc_signal<bool> answered_{"rsp_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::rsp_address_o)>> address_{"rsp_address"};
  sc_core::sc_signal<PinValue<decltype(Dut::rsp_interfaces_o)>> interfaces_{"rsp_interfaces"};
  sc_core::sc_signal<bool> range_{"rsp_range"};
  sc_core::sc_signal<bool> overlap_{"rsp_overlap"};
};

}  // namespace weft::pins

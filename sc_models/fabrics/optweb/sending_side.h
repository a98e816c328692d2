#pragma once
// Sending side of the distributed switch, module by module, with its control register: switch_modules.h says what each
// does.

#include <optional>
#include <vector>

#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/switch_modules.h"

namespace weft {

class ControlRegister : public sc_core::sc_module, public ControlRegisterIf {
 public:
  ControlRegister(sc_core::sc_module_name name, const OptwebParameters& parameters)
      : sc_module(name), latency_(parameters.latency()) {}
  Cycle write(std::uint32_t number, Cycle now) override;
  void clear() override { holds_ = false; }
  bool holds() const override { return holds_; }
  std::uint32_t number() const override { return number_; }
  Cycle reported(Cycle at) const override { return at + latency_.report; }
  Cycle answered(Cycle at) const override { return at + latency_.setup; }

 private:
  const OptwebLatencies& latency_;
  bool holds_ = false;
  std::uint32_t number_ = 0;
};

class Distributors : public sc_core::sc_module, public DistributorsIf {
 public:
  Distributors(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint32_t ports)
      : sc_module(name), latency_(parameters.latency().distributor), outputs_(ports) {}
  void join(std::uint32_t reader, const std::vector<std::uint32_t>& outputs) override;
  void release(std::uint32_t reader) override { outputs_[reader].clear(); }
  const std::vector<std::uint32_t>& outputs(std::uint32_t reader) const override { return outputs_[reader]; }
  Cycle passed(Cycle at) const override { return at + latency_; }

 private:
  Cycle latency_;
  std::vector<std::vector<std::uint32_t>> outputs_;  // by reader
};

class Selectors : public sc_core::sc_module, public SelectorsIf {
 public:
  Selectors(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint32_t ports)
      : sc_module(name), latency_(parameters.latency().select), reader_(ports) {}
  void join(std::uint32_t output, std::uint32_t reader) override;
  void release(std::uint32_t output) override { reader_[output].reset(); }
  std::optional<std::uint32_t> joined(std::uint32_t output) const override { return reader_[output]; }
  Cycle passed(Cycle at) const override { return at + latency_; }

 private:
  Cycle latency_;
  std::vector<std::optional<std::uint32_t>> reader_;  // by output
};

class Gate : public sc_core::sc_module, public GateIf {
 public:
  Gate(sc_core::sc_module_name name, const OptwebParameters& parameters)
      : sc_module(name), latency_(parameters.latency().gate) {}
  void shut(std::uint32_t receivers) override { missing_ += receivers; }
  std::optional<Cycle> ready(Cycle now) override;
  std::uint32_t missing() const override { return missing_; }

 private:
  Cycle latency_;
  std::uint32_t missing_ = 0;
};

/// Of either side.
class WordCounters : public sc_core::sc_module, public WordCountersIf {
 public:
  WordCounters(sc_core::sc_module_name name, Cycle latency, std::uint32_t ports)
      : sc_module(name), latency_(latency), missing_(ports), total_(ports) {}
  void expect(std::uint32_t port, std::uint64_t words) override { missing_[port] += words; }
  void count(std::uint32_t port, std::uint64_t words) override;
  std::uint64_t missing(std::uint32_t port) const override { return missing_[port]; }
  std::uint64_t total(std::uint32_t port) const override { return total_[port]; }
  Cycle counted(Cycle at) const override { return at + latency_; }

 private:
  Cycle latency_;
  std::vector<std::uint64_t> missing_;  // by port
  std::vector<std::uint64_t> total_;    // by port
};

}  // namespace weft

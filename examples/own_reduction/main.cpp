// A reduction unit of another type in the nodes of an OPTWEB network: the largest of int16 numbers, where Weft's own
// has int32 and float32. The unit is a module at the place of Weft's (optweb.node[0].switch.reduction): it sees the
// words of all streams when they have passed the N x N switch, and says how long they take. Every byte of the result is
// compared.
//
// usage: own_reduction <network.yaml> [rtl]

#include <Vmax_int16.h>  // before SystemC: its headers take SystemC's time where they find SystemC

#include <weft.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"

namespace {

constexpr weft::Cycle kStages = 1;  // of a level: a comparator and a register

using Lanes = std::array<std::int16_t, 2>;

/// Words in C++.
std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
  Lanes x{}, y{};
  std::memcpy(x.data(), &a, sizeof a);
  std::memcpy(y.data(), &b, sizeof b);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::max(x[i], y[i]);
  std::memcpy(&a, x.data(), sizeof a);
  return a;
}

/// Words through the pins of max_int16.sv, a clock edge for each.
class Pins {
 public:
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) {
    rtl_.a_i = a;
    rtl_.b_i = b;
    for (const bool clock : {false, true}) {
      rtl_.clk_i = clock;
      rtl_.eval();
    }
    return rtl_.y_o;
  }

 private:
  VerilatedContext context_;
  Vmax_int16 rtl_{&context_, "max_int16"};
};

/// The tree is Weft's, its levels and the operation are not.
class LargestOf : public sc_core::sc_module, public weft::ReductionUnitIf {
 public:
  LargestOf(sc_core::sc_module_name name, weft::optweb::CombineElements combine, std::uint64_t& seen)
      : sc_module(name), combine_(std::move(combine)), seen_(seen) {}
  weft::Cycle passed(weft::Cycle at, std::size_t streams) const override {
    return at + static_cast<weft::Cycle>(weft::optweb::tree_levels(streams)) * kStages;
  }
  void combine(const weft::ReducedWords& w) override {
    seen_ += w.bytes * w.streams.size();
    weft::optweb::reduce(combine_, w.streams, w.memory, w.address, w.bytes, w.stop);
  }

 private:
  weft::optweb::CombineElements combine_;
  std::uint64_t& seen_;
};

/// All other modules of the switch are Weft's.
struct Modules : weft::OptwebModules {
  bool rtl = false;
  std::uint64_t seen = 0;
  std::unique_ptr<weft::ReductionUnitIf> reduction(const Site& site) override {
    weft::optweb::CombineElements combine = larger;
    if (rtl) combine = [pins = std::make_shared<Pins>()](std::uint32_t a, std::uint32_t b) { return (*pins)(a, b); };
    return std::make_unique<LargestOf>(site.name, std::move(combine), seen);
  }
};

std::vector<std::int16_t> numbers(const weft::OptwebNode& node, std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::int16_t> out(bytes / 2);
  node.memory().bytes().read(address, std::as_writable_bytes(std::span(out)));
  return out;
}

int run(const std::string& file, bool rtl) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  weft::Diagnostics diagnostics;
  const weft::OptwebSystemConfig config = weft::parse_optweb_config(text, file, ".", {}, diagnostics);
  const weft::optweb::MachinePrograms programs = weft::optweb::assemble(config);
  weft::optweb::BlockFactory blocks;
  weft::ClockDomain domain("clock", weft::optweb::agenda_period(config));
  Modules modules;
  modules.rtl = rtl;
  weft::OptwebNetwork network("optweb", domain, config, programs, blocks, &modules);

  // What belongs to node n lies in its stripe n, and the result comes back there.
  const weft::ProgramInstruction& reduction = config.programs.front().instructions.front();
  const std::uint64_t bytes = reduction.bytes;
  const auto stripe = [&](weft::NodeId n) { return n * 2 * config.interface_bytes; };
  std::vector<std::int16_t> largest = numbers(network.node(0), stripe(0) + reduction.send, bytes);
  for (weft::NodeId n = 1; n < config.nodes; ++n) {
    const auto more = numbers(network.node(n), stripe(n) + reduction.send, bytes);
    for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = std::max(largest[i], more[i]);
  }
  network.load_programs();
  sc_core::sc_start();
  network.check_conservation();

  bool right = network.finished() && modules.seen == bytes * config.nodes * config.nodes;
  for (weft::NodeId n = 0; n < config.nodes; ++n) {
    right = right && numbers(network.node(n), stripe(n) + reduction.receive, bytes) == largest;
  }
  std::printf("%s: largest of %zu numbers of %u nodes, %llu bytes seen, over in cycle %lld\n", rtl ? "rtl" : "c++",
              largest.size(), config.nodes, static_cast<unsigned long long>(modules.seen),
              static_cast<long long>(network.node(0).last_completed()));
  std::puts(right ? "ok" : "wrong");
  return right ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || (argc == 3 && std::string(argv[2]) != "rtl")) {
    std::fputs("usage: own_reduction <network.yaml> [rtl]\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argc == 3);
  } catch (const weft::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

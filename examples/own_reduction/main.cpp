// A reduction unit of another type in the nodes of an OPTWEB network: the largest of int16 numbers, where Weft's own
// has int32 and float32. The unit is a module at the place of Weft's (optweb.node[0].switch.reduction): it sees the
// words of all streams when they have passed the N x N switch, and says how long they take. Every byte of the result is
// compared.
//
// usage: own_reduction <network.yaml> [rtl]

#include "largest_of.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"

namespace {

/// All other modules of the switch are Weft's.
struct Modules : weft::OptwebModules {
  bool rtl = false;
  std::uint64_t seen = 0;
  std::unique_ptr<weft::ReductionUnitIf> reduction(const Site& site) override {
    return std::make_unique<own_reduction::LargestOf>(site.name, own_reduction::largest(rtl),
                                                      [this](std::uint64_t bytes) { seen += bytes; });
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

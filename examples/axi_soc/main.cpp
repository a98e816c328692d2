// Two DMA engines in RTL (axi_dma.sv) at nodes 0 and 1 of four routers, memories with open rows at nodes 2 and 3.
// Engine 0 copies a block from memory 2 to memory 3, engine 1 another one from 3 to 2. Alone, engine 0 must take
// exactly the cycles of the closed form below; together both must copy every byte.
//
// usage: axi_soc <network.yaml> [both] [<waves.fst>]

#include <weft.h>

#include <Vaxi_dma.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr unsigned kSize = 0x10000;  // bytes of a memory
constexpr unsigned kBeats = 8;       // of a burst, 8 bytes each
constexpr unsigned kBursts = 100;
constexpr unsigned kRow = 1024;  // bytes
constexpr weft::Cycle kHit = 4;  // cycles of an access to the open row
constexpr weft::Cycle kMiss = 12;

using Pins = weft::axi::Signals<32, 64, 4>;

/// One bank: accesses one after the other, faster within the row that is open.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  Memory(sc_core::sc_module_name name, sc_core::sc_time cycle) : sc_module(name), bytes(kSize), cycle_(cycle) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  std::vector<unsigned char> bytes;

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    const auto row = static_cast<long>(p.get_address() / kRow);
    delay += static_cast<double>(row == open_ ? kHit : kMiss) * cycle_;
    open_ = row;
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      unsigned char& cell = bytes.at(p.get_address() + i);
      (p.is_write() ? cell : p.get_data_ptr()[i]) = p.is_write() ? p.get_data_ptr()[i] : cell;
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  sc_core::sc_time cycle_;
  long open_ = -1;
};

/// A DMA engine, its interface to the network, and the signals between them.
struct Engine {
  Engine(const std::string& name, sc_core::sc_clock& clock, sc_core::sc_signal<bool>& running)
      : pins(name), port((name + "_port").c_str(), pins), dma(name.c_str()) {
    port.clk(clock);
    port.rst_n(running);
    dma.clk_i(clock);
    dma.rst_ni(running);
    dma.start_i(start);
    dma.from_i(from);
    dma.to_i(to);
    dma.bursts_i(bursts);
    dma.done_o(done);
    dma.error_o(error);
    dma.awvalid_o(pins.awvalid), dma.awready_i(pins.awready), dma.awid_o(pins.awid), dma.awaddr_o(pins.awaddr);
    dma.awlen_o(pins.awlen), dma.awsize_o(pins.awsize), dma.awburst_o(pins.awburst);
    dma.wvalid_o(pins.wvalid), dma.wready_i(pins.wready), dma.wdata_o(pins.wdata), dma.wstrb_o(pins.wstrb);
    dma.wlast_o(pins.wlast);
    dma.bvalid_i(pins.bvalid), dma.bready_o(pins.bready), dma.bresp_i(pins.bresp);
    dma.arvalid_o(pins.arvalid), dma.arready_i(pins.arready), dma.arid_o(pins.arid), dma.araddr_o(pins.araddr);
    dma.arlen_o(pins.arlen), dma.arsize_o(pins.arsize), dma.arburst_o(pins.arburst);
    dma.rvalid_i(pins.rvalid), dma.rready_o(pins.rready), dma.rdata_i(pins.rdata), dma.rresp_i(pins.rresp);
    dma.rlast_i(pins.rlast);
  }
  Pins pins;
  weft::axi::SubordinatePort<32, 64, 4> port;
  Vaxi_dma dma;
  sc_core::sc_signal<bool> start, done, error;
  sc_core::sc_signal<std::uint32_t> from, to, bursts;
};

// Node 0 and node 2 are neighbours, node 3 is one router further. A router takes 5 cycles, the link from the source 1;
// a message of more than one flit (64 bytes) a cycle more for each.
weft::Cycle message(unsigned routers, unsigned bytes) { return 1 + 5 * routers + (bytes + 63) / 64 - 1; }

// From the edge that takes AR, or the last W, to the one that takes the first answer (docs/axi.md).
weft::Cycle access(weft::Cycle request, weft::Cycle memory, weft::Cycle answer) {
  return 1 + request + memory + 1 + answer + 2;
}

// From the edge that takes `start` to the one that takes the last B. A burst is read while the one before is written,
// which takes less; an AR is taken one edge after the start or the last R before.
weft::Cycle expected() {
  constexpr unsigned kBytes = 8 * kBeats;
  const weft::Cycle read = access(message(2, 16), kHit, message(2, 4 + kBytes)) + kBeats - 1 + 1;
  const weft::Cycle misses = (kBursts * kBytes + kRow - 1) / kRow;
  // From the last R: an edge to see a full buffer, the beats of W, the answer to the last of them.
  const bool opens_row = (kBursts - 1) * kBytes % kRow == 0;
  const weft::Cycle write = 1 + kBeats + access(message(3, 16 + kBytes), opens_row ? kMiss : kHit, message(3, 4));
  return kBursts * read + misses * (kMiss - kHit) + write;
}

int run(const std::string& file, bool both, const std::string& waves) {
  weft::Diagnostics diagnostics;
  const auto design = weft::cli::load_design(weft::cli::builtin_families(), file, {}, diagnostics);
  const auto plan = design->plan();
  weft::TlmSystem network("network", *plan, {0, 1, 2, 3}, {0, 1});  // reads on level 0, writes on level 1
  const sc_core::sc_time cycle = network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);
  sc_core::sc_signal<bool> running("running");
  Engine first("dma0", clock, running);
  Engine second("dma1", clock, running);
  Memory left("left", cycle);
  Memory right("right", cycle);
  first.port.socket.bind(network.node(0).initiator_side);
  second.port.socket.bind(network.node(1).initiator_side);
  network.node(2).target_side.bind(left.socket);
  network.node(3).target_side.bind(right.socket);
  network.map(0, kSize, 2);
  network.map(kSize, kSize, 3);
  if (!waves.empty()) {
    weft::trace(first.pins);
    weft::trace(second.pins);
    weft::trace_bursts(first.pins, clock, "bursts.dma0");
    weft::trace_bursts(second.pins, clock, "bursts.dma1");
    network.open_waves(waves);
  }
  for (unsigned i = 0; i < kSize; ++i) {
    left.bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
    right.bytes[i] = static_cast<unsigned char>(i * 11 + i / 512);
  }
  const std::vector<unsigned char> was_left = left.bytes;
  const std::vector<unsigned char> was_right = right.bytes;
  const auto start = [](Engine& e, unsigned from, unsigned to) {
    e.from = from;
    e.to = to;
    e.bursts = kBursts;
    e.start = true;
  };
  sc_core::sc_start(3.25 * cycle);  // in reset
  running = true;
  sc_core::sc_start(cycle);
  start(first, 0, kSize + 0x4000);
  if (both) start(second, kSize, 0x8000);
  sc_core::sc_start(cycle);
  first.start = second.start = false;
  weft::Cycle cycles = 0;  // edges since the one that has taken `start`
  for (; cycles < 1000 * kBursts && !(first.done && (!both || second.done)); ++cycles) sc_core::sc_start(cycle);
  network.close_waves();

  const unsigned block = 8 * kBeats * kBursts;
  bool ok = !first.error && !second.error;
  ok = ok && std::memcmp(&right.bytes[0x4000], &was_left[0], block) == 0;
  if (both) ok = ok && std::memcmp(&left.bytes[0x8000], &was_right[0], block) == 0;
  std::printf("%u bytes in %lld cycles of %s, %.2f bytes per cycle\n", both ? 2 * block : block,
              static_cast<long long>(cycles), cycle.to_string().c_str(),
              static_cast<double>(both ? 2 * block : block) / static_cast<double>(cycles));
  if (!both) {
    std::printf("closed form: %lld cycles\n", static_cast<long long>(expected()));
    ok = ok && cycles == expected();
  }
  std::printf("%s\n", ok ? "ok" : "failed");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int sc_main(int argc, char** argv) {
  bool both = false;
  std::string waves;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "both") {
      both = true;
    } else {
      waves = word;
    }
  }
  try {
    return run(argc > 1 ? argv[1] : "soc.yaml", both, waves);
  } catch (const weft::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}

// A processor at node 0 and a memory at node 8 of a network, both plain TLM-2.0 base protocol: neither knows that there
// is a network between them, of time slots in fic.yaml, of packet switches in packet.yaml. Prints the latency of every
// access and checks it against the closed form of the circuit, or of the zero-load latency.

#include <weft.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

constexpr sc_dt::uint64 kBase = 0x80000000;
constexpr unsigned kSize = 4096;

class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), bytes_(kSize) {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    delay += sc_core::sc_time(50, sc_core::SC_NS);
    access(p);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    access(p);
    return p.get_data_length();
  }
  void access(tlm::tlm_generic_payload& p) {
    unsigned char* cell = &bytes_.at(p.get_address());
    if (p.is_write()) std::memcpy(cell, p.get_data_ptr(), p.get_data_length());
    if (p.is_read()) std::memcpy(p.get_data_ptr(), cell, p.get_data_length());
  }
  std::vector<unsigned char> bytes_;
};

class Processor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  SC_HAS_PROCESS(Processor);
  Processor(sc_core::sc_module_name name, double least_ns, double most_ns)
      : sc_module(name), least_ns_(least_ns), most_ns_(most_ns) {
    SC_THREAD(work);
  }
  bool ok() const { return done_ && failures_ == 0; }

 private:
  void work() {
    unsigned char out[64];
    unsigned char in[64] = {};
    for (unsigned i = 0; i < sizeof out; ++i) out[i] = static_cast<unsigned char>(3 * i + 1);
    check(access(tlm::TLM_WRITE_COMMAND, kBase + 0x100, out, sizeof out) == tlm::TLM_OK_RESPONSE, "write");
    check(access(tlm::TLM_READ_COMMAND, kBase + 0x100, in, sizeof in) == tlm::TLM_OK_RESPONSE, "read");
    check(std::memcmp(out, in, sizeof in) == 0, "what was written comes back");
    check(access(tlm::TLM_READ_COMMAND, kBase + kSize - 4, in, 4) == tlm::TLM_OK_RESPONSE, "last word");
    bounded_ = false;
    check(access(tlm::TLM_READ_COMMAND, kBase + kSize - 4, in, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "over the end");
    check(access(tlm::TLM_WRITE_COMMAND, 0x1234, out, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "nobody's address");
    tlm::tlm_generic_payload p;
    std::memset(in, 0, sizeof in);
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_address(kBase + 0x100);
    p.set_data_ptr(in);
    p.set_data_length(sizeof in);
    check(socket->transport_dbg(p) == sizeof in && std::memcmp(out, in, sizeof in) == 0, "debug access");
    done_ = true;
  }

  tlm::tlm_response_status access(tlm::tlm_command command, sc_dt::uint64 address, unsigned char* data, unsigned size) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(data);
    p.set_data_length(size);
    p.set_streaming_width(size);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    const double ns = (sc_core::sc_time_stamp() + delay - start).to_seconds() * 1e9;
    std::printf("%-5s %2u bytes at 0x%08llx: %-26s %6.0f ns\n", p.is_read() ? "read" : "write", size,
                static_cast<unsigned long long>(address), p.get_response_string().c_str(), ns);
    if (bounded_) check(ns >= least_ns_ && ns <= most_ns_, "latency within the circuit's bounds");
    return p.get_response_status();
  }
  void check(bool good, const char* what) {
    if (good) return;
    std::printf("FAILED: %s\n", what);
    ++failures_;
  }

  double least_ns_;
  double most_ns_;
  bool bounded_ = true;
  bool done_ = false;
  int failures_ = 0;
};

}  // namespace

int sc_main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "fic.yaml";
  try {
    weft::Diagnostics diagnostics;
    const auto design = weft::cli::load_design(weft::cli::builtin_families(), file, {}, diagnostics);
    const auto plan = design->plan();
    weft::TlmSystem network("network", *plan, {0, 8});
    network.map(kBase, kSize, 8);

    // fic.yaml: 4 hops, 5 switches, each S * (floor(C / S) + 1) = 4 cycles of 10 ns: a word takes 200 ns from host to
    // host. A message of 1 or 2 words takes 0..1 frames more, and up to 3 cycles until its slot comes. The request
    // goes, the memory takes 50 ns, the answer comes back; the bridge starts a message in the next cycle.
    //
    // packet.yaml: 2 stages of the NIC and 6 per switch, cycles of 5.12 ns, 5 switches; 1 or 2 flits; the memory's 50
    // ns end between two cycles, so the answer starts up to a cycle later.
    const bool packets = argc > 2 && std::string(argv[2]) == "packets";
    const double least = packets ? 2 * 32 * 5.12 + 50 : 2 * 200 + 50;
    const double most = packets ? 2 * (32 + 1 + 2) * 5.12 + 50 : 2 * (200 + 40 + 30 + 10) + 50;
    Memory memory("memory");
    Processor processor("processor", least, most);
    processor.socket.bind(network.node(0).initiator_side);
    network.node(8).target_side.bind(memory.socket);
    sc_core::sc_start(1, sc_core::SC_MS);
    std::printf("%s\n", processor.ok() ? "ok" : "failed");
    return processor.ok() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const weft::InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}

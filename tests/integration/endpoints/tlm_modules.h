#pragma once
// Networks of every fabric and TLM-2.0 modules of a user, a memory and a processor that checks what it reads.

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstring>
#include <string>
#include <systemc>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace weft::test {

inline constexpr sc_dt::uint64 kBase = 0x8000;
inline constexpr unsigned kSize = 4096;

struct TlmCase {
  std::string name;
  std::string network;
  /// Latency of a transfer of 24 and of 16 bytes from node 0 to node 5 and back, in cycles, when it meets nobody; 0: it
  /// depends on when it is sent.
  Cycle request = 0;
  Cycle answer = 0;
};
inline void PrintTo(const TlmCase& c, std::ostream* out) { *out << c.name; }

inline constexpr const char* kNothing = "qos: { levels: { a: { message: 64B } } }\ntraffic: []\n";

inline std::vector<TlmCase> tlm_cases() {
  const auto packet = [](const std::string& architecture, const std::string& topology) {
    return "fabric: packet\nswitch: { architecture: " + architecture + " }\ntopology: { " + topology + " }\n" +
           kNothing;
  };
  std::string circuits =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 32 }\nsources: { arrivals: none }\n"
      "circuits:\n";
  for (int from = 0; from < 9; ++from) {
    for (int to = 0; to < 9; ++to) {
      if (from != to) circuits += fmt::format("  - {{ source: {}, destination: {} }}\n", from, to);
    }
  }
  // 0 and 5 are three links apart in the mesh: four switches.
  return {{"tdm", circuits + "setup: { mode: preset }\n"},
          {"tdm_in_network", circuits + "setup: { mode: in_network }\n"},
          {"ideal", std::string("fabric: ideal\nideal: { nodes: 9, latency: 7cycles }\n") + kNothing, 7, 7},
          {"ib", packet("ib", "kind: mesh, dims: [3, 3]"), 2 + 4 * 6, 2 + 4 * 6},
          // One turn on each way is between ports 0 to 3 and port 4, of another MPort: a stage of allocation and one of
          // the crossbar more.
          {"opa", packet("opa", "kind: mesh, dims: [3, 3]"), 2 + 4 * 6 + 2, 2 + 4 * 6 + 2},
          {"iq", packet("iq", "kind: mesh, dims: [3, 3]"), 1 + 4 * 5, 1 + 4 * 5},
          // One word of 32 bytes is a cycle or two less than the 222 of 64 bytes (docs/optweb.md).
          {"optweb", std::string("fabric: optweb\nnodes: 9\n") + kNothing, 221, 221},
          {"optweb_dragonfly", std::string("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n") + kNothing}};
}

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), bytes_(kSize) {
    socket.register_b_transport(this, &Memory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    unsigned char* cell = &bytes_.at(p.get_address());
    if (p.is_write()) std::memcpy(cell, p.get_data_ptr(), p.get_data_length());
    if (p.is_read()) std::memcpy(p.get_data_ptr(), cell, p.get_data_length());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<unsigned char> bytes_;
};

/// Accesses its own part of the memories of others, and its own memory.
class Processor final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  SC_HAS_PROCESS(Processor);
  Processor(sc_core::sc_module_name name, unsigned number, unsigned memories, int accesses)
      : sc_module(name), number_(number), memories_(memories), accesses_(accesses) {
    SC_THREAD(work);
  }
  std::string wrong = "it has not ended";
  sc_core::sc_time first;  ///< of the first access

 private:
  static constexpr unsigned kPart = 512;
  void work() {
    RandomStream random(number_, "accesses");
    std::vector<std::vector<unsigned char>> expected(memories_, std::vector<unsigned char>(kPart));
    for (int i = 0; i < accesses_; ++i) {
      const auto memory = static_cast<unsigned>(i == 0 ? memories_ - 1 : random.below(memories_));
      const auto length = static_cast<unsigned>(i == 0 ? 8 : 1 + random.below(64));
      const auto at = static_cast<unsigned>(random.below(kPart - length));
      std::vector<unsigned char> data(length);
      const bool write = i == 0 || random.below(2) == 0;
      if (write) {
        for (unsigned char& b : data) b = static_cast<unsigned char>(random());
        std::copy(data.begin(), data.end(), expected[memory].begin() + at);
      }
      tlm::tlm_generic_payload p;
      p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      p.set_address(kBase + memory * kSize + number_ * kPart + at);
      p.set_data_ptr(data.data());
      p.set_data_length(length);
      p.set_streaming_width(length);
      sc_core::sc_time delay;
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      socket->b_transport(p, delay);
      if (i == 0) first = sc_core::sc_time_stamp() - start;
      if (!p.is_response_ok()) return fail(fmt::format("access {}: {}", i, p.get_response_string()));
      if (!write && !std::equal(data.begin(), data.end(), expected[memory].begin() + at)) {
        return fail(fmt::format("access {} reads what nobody has written", i));
      }
      if (p.is_dmi_allowed()) return fail("DMI is allowed");
    }
    wrong.clear();
  }
  void fail(const std::string& what) { wrong = what; }

  unsigned number_;
  unsigned memories_;
  int accesses_;
};

}  // namespace weft::test

#pragma once
// AXI4 pins played by hand, edge by edge: of a manager that reaches a memory over a network, and of a subordinate whose
// transactions come from threads; and what is reported meanwhile.

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_manager.h"
#include "workload/axi/axi_subordinate.h"

namespace weft::test::endpoints {

/// Messages of sc_report since catch_reports(), which end nothing.
inline std::vector<std::string>& all_reports() {
  static std::vector<std::string> all;
  return all;
}
inline void catch_reports() {
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions&) {
    all_reports().emplace_back(report.get_msg());
  });
}
inline std::string lines_of(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& s : list) out += (out.empty() ? "" : "\n") + s;
  return out;
}

/// Byte i is the lowest byte of i at first.
class ByteMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ByteMemory> socket{"socket"};
  ByteMemory(sc_core::sc_module_name name, std::size_t size) : sc_module(name), bytes(size) {
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i);
    socket.register_b_transport(this, &ByteMemory::b_transport);
  }
  std::vector<unsigned char> bytes;
  int writes = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    writes += p.is_write() ? 1 : 0;
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
      unsigned char& cell = bytes.at(p.get_address() + i);
      const bool enabled =
          p.get_byte_enable_ptr() == nullptr || p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] != 0;
      if (enabled && p.is_write()) cell = p.get_data_ptr()[i];
      if (p.is_read()) p.get_data_ptr()[i] = cell;
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A manager's pins at node 0, its addresses at node 1 behind an ideal network.
struct ManagerByHand {
  using Pins = axi::Signals<40, 64, 2>;
  explicit ManagerByHand(int latency, const axi::SubordinateOptions& options = {})
      : design(design_of(fmt::format("fabric: ideal\nideal: {{ nodes: 2, latency: {}cycles }}\n{}", latency, kLevels))),
        plan(design->plan()),
        network("network", *plan, {0, 1}),
        cycle(network.fabric().domain().period_time()),
        clock("clock", cycle),
        pins("source"),
        port("port", pins, options),
        rules("rules", Pins::kBus) {
    catch_reports();
    port.clk(clock);
    port.rst_n(running);
    port.socket.bind(network.node(0).initiator_side);
    m.b_ready = m.r_ready = true;
  }
  /// From half a cycle before the edge of this number to half a cycle behind it. What it takes is noted.
  void step() {
    if (edge == 0) begin();
    pins.drive(m);
    sc_core::sc_start(cycle / 4);
    s = pins.subordinate();
    const bool counts = running.read();
    if (counts) {
      rules.clock(m, s);
    } else {
      rules.reset();
    }
    if (counts && m.aw_valid && s.aw_ready) note("AW"), m.aw_valid = false;
    if (counts && m.w_valid && s.w_ready) note("W"), m.w_valid = false;
    if (counts && m.ar_valid && s.ar_ready) note("AR"), m.ar_valid = false;
    if (counts && s.b_valid && m.b_ready) note(fmt::format("B{}:{}", s.b_id, static_cast<int>(s.b)));
    if (counts && s.r_valid && m.r_ready) {
      note(fmt::format("R{}:{}:{:02x}{}", s.r_id, static_cast<int>(s.r), s.r_bytes[0], s.r_last ? "." : ""));
    }
    sc_core::sc_start(cycle - cycle / 4);
    ++edge;
  }
  void begin() {
    sc_core::sc_start(cycle / 2);
    edge = 1;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void read(std::uint32_t id, std::uint64_t address, std::uint32_t beats) {
    m.ar_valid = true;
    m.ar = {id, address, beats, 8};
  }
  void write(std::uint32_t id, std::uint64_t address, std::uint32_t beats) {
    m.aw_valid = true;
    m.aw = {id, address, beats, 8};
  }
  void data(unsigned char value, bool last) {
    m.w_valid = true;
    m.w = {std::vector<unsigned char>(8, value), std::vector<bool>(8, true)};
    m.w_last = last;
  }
  void note(const std::string& what) { heard += fmt::format("{}{} {}", heard.empty() ? "" : ", ", what, edge); }

  std::unique_ptr<Design> design;
  std::unique_ptr<Plan> plan;
  TlmSystem network;
  sc_core::sc_time cycle;
  sc_core::sc_clock clock;
  sc_core::sc_signal<bool> running{"running", true};
  Pins pins;
  axi::SubordinatePort<40, 64, 2> port;
  axi::Checker rules;
  axi::ManagerPins m;
  axi::SubordinatePins s;  // before the last edge
  std::string heard;
  int edge = 0;
};

/// Accesses of a list, each in a thread of its own, so that several are there at once.
class Accesses final : public sc_core::sc_module {
 public:
  struct Access {
    bool write = false;
    std::uint64_t address = 0;
    std::uint32_t length = 8;
    std::string response;
    sc_core::sc_time ended;
  };
  tlm_utils::simple_initiator_socket<Accesses> socket{"socket"};
  explicit Accesses(sc_core::sc_module_name name) : sc_module(name) {}
  void start(bool write, std::uint64_t address, std::uint32_t length = 8) {
    const std::size_t before = list.size();
    Access& access = list.emplace_back(Access{write, address, length, "", {}});
    sc_core::sc_spawn([this, &access, before] {
      for (std::size_t i = 0; i < before; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);  // in the order of the list
      std::vector<unsigned char> data(access.length, 0x5a);
      tlm::tlm_generic_payload p;
      p.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      p.set_address(access.address);
      p.set_data_ptr(data.data());
      p.set_data_length(access.length);
      p.set_streaming_width(access.length);
      sc_core::sc_time delay;
      socket->b_transport(p, delay);
      access.response = p.get_response_string();
      access.ended = sc_core::sc_time_stamp();
    });
  }
  std::string responses() const {
    std::string out;
    for (const Access& a : list) out += (out.empty() ? "" : ", ") + (a.response.empty() ? "none" : a.response);
    return out;
  }
  std::deque<Access> list;
};

/// A subordinate's pins; the one who plays it says what it drives at each edge.
template <unsigned AddressBits>
struct SubordinateByHand {
  using Pins = axi::Signals<AddressBits, 64, 2>;
  SubordinateByHand() : pins("memory"), port("port", pins) {
    catch_reports();
    port.clk(clock);
    port.rst_n(running);
    accesses.socket.bind(port.socket);
  }
  void step() {
    if (edge == 0) begin();
    pins.drive(s);
    sc_core::sc_start(cycle / 4);
    m = pins.manager();
    if (m.aw_valid && s.aw_ready) note(fmt::format("AW{}:{:x}", m.aw.id, m.aw.address));
    if (m.w_valid && s.w_ready) note(m.w_last ? "WLAST" : "W");
    if (m.ar_valid && s.ar_ready) note(fmt::format("AR{}:{:x}", m.ar.id, m.ar.address));
    sc_core::sc_start(cycle - cycle / 4);
    ++edge;
  }
  void begin() {
    sc_core::sc_start(cycle / 2);
    edge = 1;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  /// A subordinate that takes everything and answers bursts of one beat, and writes, in the cycle behind.
  void serve(int count) {
    s.aw_ready = s.w_ready = s.ar_ready = true;
    for (int i = 0; i < count; ++i) {
      step();
      if (m.aw_valid) writes.push_back(m.aw.id);
      if (m.w_valid && m.w_last) ++complete;
      if (m.ar_valid) reads.push_back(m.ar.id);
      s.b_valid = s.r_valid = false;
      if (complete > 0 && !writes.empty()) {
        b(writes.front());
        writes.pop_front();
        --complete;
      }
      if (reads.empty()) continue;
      r(reads.front(), true);
      reads.pop_front();
    }
  }
  void b(std::uint32_t id) { s.b_valid = true, s.b_id = id; }
  void r(std::uint32_t id, bool last) {
    s.r_valid = true;
    s.r_id = id;
    s.r_bytes.assign(8, 7);
    s.r_last = last;
  }
  void note(const std::string& what) { heard += fmt::format("{}{} {}", heard.empty() ? "" : ", ", what, edge); }

  sc_core::sc_time cycle{10, sc_core::SC_NS};
  sc_core::sc_clock clock{"clock", cycle};
  sc_core::sc_signal<bool> running{"running", true};
  Pins pins;
  axi::ManagerPort<AddressBits, 64, 2> port;
  Accesses accesses{"accesses"};
  axi::SubordinatePins s;
  axi::ManagerPins m;  // before the last edge
  std::deque<std::uint32_t> reads;
  std::deque<std::uint32_t> writes;
  int complete = 0;  // of them
  std::string heard;
  int edge = 0;
};

}  // namespace weft::test::endpoints

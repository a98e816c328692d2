// A host model of a user's own, over TLM-2.0: it loads data by DMI, programs two nodes through their registers, waits
// until they are done, and reads the result.

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <numeric>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kReceive = std::uint64_t{256} << 20;

class Host : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Host);
  explicit Host(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    SC_THREAD(run);
    socket.register_invalidate_direct_mem_ptr(this, &Host::invalidate);
  }
  tlm_utils::simple_initiator_socket<Host> socket;
  bool sends = false;
  std::vector<unsigned char> data = std::vector<unsigned char>(5000);
  std::vector<unsigned char> result;
  sc_core::sc_time finished;
  int invalidated = 0;

 private:
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) {
    ++invalidated;
    EXPECT_EQ(begin, HostPort::kMemory);
    EXPECT_EQ(end, HostPort::kMemory + (std::uint64_t{8} << 30) - 1);
  }
  bool dmi(std::uint64_t address) {
    tlm::tlm_generic_payload p;
    p.set_address(address);
    tlm::tlm_dmi dmi;
    return socket->get_direct_mem_ptr(p, dmi);
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* bytes, unsigned length) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(static_cast<unsigned char*>(bytes));
    p.set_data_length(length);
    p.set_streaming_width(length);
    p.set_byte_enable_ptr(nullptr);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    sc_core::wait(delay);
    return p.get_response_status();
  }
  void write(std::uint64_t reg, std::uint64_t value) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, reg, &value, 8), tlm::TLM_OK_RESPONSE);
  }
  std::uint64_t read(std::uint64_t reg) {
    std::uint64_t value = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, reg, &value, 8), tlm::TLM_OK_RESPONSE);
    return value;
  }

  void load() {
    std::iota(data.begin(), data.end(), 3);
    std::size_t done = 0;
    while (done < data.size()) {
      // Data for node 1 stand in stripe 1.
      tlm::tlm_generic_payload p;
      p.set_address(HostPort::kMemory + 2 * kReceive + done);
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(socket->get_direct_mem_ptr(p, dmi));
      const std::uint64_t room = dmi.get_end_address() - p.get_address() + 1;
      const std::size_t part = std::min<std::size_t>(room, data.size() - done);
      std::memcpy(dmi.get_dmi_ptr() + (p.get_address() - dmi.get_start_address()), data.data() + done, part);
      done += part;
    }
  }

  void run() {
    if (sends) load();
    const optweb::Opcode opcode = sends ? optweb::Opcode::kSend : optweb::Opcode::kRecv;
    const std::uint64_t staged[] = {static_cast<std::uint64_t>(opcode), 0, kReceive, data.size(), 0, 1, 0, 0};
    for (std::size_t i = 0; i < 8; ++i) write(HostPort::kStaging + 8 * i, staged[i]);
    EXPECT_EQ(read(HostPort::kStaging + 24), data.size());
    write(HostPort::kAppend, 1);
    EXPECT_EQ(read(HostPort::kFinished), 0U);
    EXPECT_TRUE(dmi(HostPort::kMemory));
    const int before_program = invalidated;
    write(HostPort::kDoorbell, 1);
    // While the program runs, nothing goes past the memory interfaces.
    EXPECT_EQ(invalidated, before_program + 1);
    EXPECT_FALSE(dmi(HostPort::kMemory));
    while (read(HostPort::kFinished) == 0) sc_core::wait(10, sc_core::SC_NS);
    finished = sc_core::sc_time_stamp();
    EXPECT_EQ(read(HostPort::kCompleted), 1U);
    EXPECT_TRUE(dmi(HostPort::kMemory));
    errors();
    if (sends) return;
    result.resize(data.size());
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, HostPort::kMemory + kReceive, result.data(), 5000), tlm::TLM_OK_RESPONSE);
    // 157 words, a cycle each, after the latency of the memory.
    EXPECT_EQ(sc_core::sc_time_stamp() - before, sc_core::sc_time((50 + 156) * 5, sc_core::SC_NS));
  }

  void errors() {
    std::uint64_t v = 2;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 0x60, &v, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 0x04, &v, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 0x08, &v, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, HostPort::kFinished, &v, 8), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, HostPort::kAppend, &v, 8), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, HostPort::kMemory + (std::uint64_t{8} << 30) - 4, &v, 8),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_generic_payload p;
    tlm::tlm_dmi dmi;
    p.set_address(0);
    EXPECT_FALSE(socket->get_direct_mem_ptr(p, dmi));
  }
};

TEST(OptwebHost, ProgramsTwoNodesOverTheirPorts) {
  Diagnostics diagnostics;
  // Node 2 has a program of its own; group 0 is the one of that program.
  const OptwebConfig config = parse_optweb_config(
      "fabric: optweb\nnodes: 3\nprograms: { 'node[2]': [ { op: fence } ] }\n", "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  Host sender("sender");
  Host receiver("receiver");
  sender.sends = true;
  sender.socket.bind(network.node(0).host().socket);
  receiver.socket.bind(network.node(1).host().socket);
  network.load_programs();
  sc_core::sc_start();
  EXPECT_TRUE(network.finished());
  network.check_conservation();
  EXPECT_EQ(receiver.result, sender.data);
  EXPECT_GT(sender.finished, receiver.finished);  // it hears of the receipt later
}

}  // namespace
}  // namespace weft::test

// The one declaration of every key of an OPTWEB network.

#include "fabrics/optweb/keys/optweb_schema.h"

#include "fabrics/optweb/keys/optweb_errors.h"
#include "fabrics/optweb/keys/optweb_serial.h"

namespace weft {
namespace {

constexpr DataSize kOneByte{8};
constexpr DataSize kNothing{0};
constexpr DataSize kMaxMemory{8LL << 42};  // 4 TiB
constexpr DataSize kMaxStripe{8LL << 32};  // 2K, with K at most 2^31 bytes
constexpr Rate kSlowest{1'000'000'000};
constexpr Rate kFastest{100'000'000'000'000};
constexpr Duration kNoDelay{0};
constexpr Duration kLongestHub{1'000'000};

constexpr std::int64_t kMostOffset = 1'000'000;  // ppb: 1000 ppm

Section<RawOptwebClocks> clocks_section() {
  Section<RawOptwebClocks> s("clocks",
                             "Differences of the clocks of the nodes. A link hands words over from one to the other at "
                             "the next edge of the receiver.");
  s.key("phase", &RawOptwebClocks::phase, choice<OptwebPhase>(), by_default("aligned"),
        "aligned: all clocks have their edges at the same times, and crossings cost nothing; random: the first edge of "
        "each is anywhere in the first period, by the seed.");
  s.key("phases", &RawOptwebClocks::phases, list_of(duration_type(kNoDelay, kLongestHub), 2, kMostOptwebNodes),
        optional("as 'phase' says"), "First edge of each node's clock, less than a period.");
  s.key("tolerance_ppm", &RawOptwebClocks::tolerance, decimal_type(3, 0, kMostOffset), by_default("0"),
        "Largest deviation of the frequencies, each a random part of it, by the seed.");
  s.key("offsets_ppm", &RawOptwebClocks::offsets, list_of(signed_decimal_type(3, kMostOffset), 2, kMostOptwebNodes),
        optional("as 'tolerance_ppm' says"), "By how much the frequency of each node's clock is off.");
  return s;
}

Section<RawOptwebDmac> dmac_section() {
  Section<RawOptwebDmac> s("dmac", "M_DMAC: dispatcher, and for every node a reader R#i and a writer W#i.");
  s.key("dispatch", &RawOptwebDmac::dispatch, cycle_span_type(1), by_default("3cycles"),
        "From the instruction to the first read request: decoding, address translation, start.");
  s.key("stripe_address", &RawOptwebDmac::stripe_address, implementation_type(), by_default("model"),
        "Address translation: C++ model, Verilated RTL, or both compared.");
  s.key("rtl", &RawOptwebDmac::rtl, word_type(), optional("Weft's own"), kRtlMeaning);
  return s;
}

Section<RawOptwebSwitch> switch_section() {
  Section<RawOptwebSwitch> s("switch",
                             "The distributed switch: latency of each of its parts, its buffers, and its control.");
  s.key("setup", &RawOptwebSwitch::setup, cycle_span_type(1), by_default("5cycles"),
        "From the instruction in the control register to the paths being set.");
  s.key("notification", &RawOptwebSwitch::notification, cycle_span_type(1), by_default("1cycle"),
        "Sending a notification.");
  s.key("distributor", &RawOptwebSwitch::distributor, cycle_span_type(0), by_default("2cycles"),
        "Sending side: from a reader to the N x 1 switches.");
  s.key("select", &RawOptwebSwitch::select, cycle_span_type(0), by_default("3cycles"),
        "Sending side: N x 1 switch of a link.");
  s.key("gate", &RawOptwebSwitch::gate, cycle_span_type(0), by_default("2cycles"),
        "Rendezvous: from the last notification to the first word that passes.");
  s.key("receive", &RawOptwebSwitch::receive, cycle_span_type(0), by_default("5cycles"),
        "Receiving side: N x N switch.");
  s.key("counter", &RawOptwebSwitch::counter, cycle_span_type(0), by_default("5cycles"),
        "Receiving side: word counter, where the data size is checked.");
  s.key("notified", &RawOptwebSwitch::notified, cycle_span_type(0), by_default("4cycles"),
        "Receiving side: register of notifications and the check that all are there.");
  s.key("reduce", &RawOptwebSwitch::reduce, cycle_span_type(0), by_default("4cycles"),
        "Receiving side: each level of the reduction unit, whose tree has ceil(log2 N) of them for N streams.");
  s.key("report", &RawOptwebSwitch::report, cycle_span_type(1), by_default("4cycles"),
        "From a counter or register to the command sequencer.");
  s.key("eager_buffer", &RawOptwebSwitch::eager_buffer, data_size_type(kNothing, kMaxStripe), by_default("16KiB"),
        "Receive buffer of each link; larger transfers are by rendezvous.");
  s.key("implementation", &RawOptwebSwitch::implementation, implementation_type(), by_default("model"),
        "Control (control register, gate, notifications, counters, selectors): " +
            implementation_meaning("in every cycle that brings something"));
  s.key("rtl", &RawOptwebSwitch::rtl, word_type(), optional("Weft's own"), kRtlMeaning);
  return s;
}

Section<RawOptwebSequencer> sequencer_section() {
  Section<RawOptwebSequencer> s("sequencer", "The command sequencer.");
  s.key("depth", &RawOptwebSequencer::depth, whole<std::uint32_t>(2, 4096), by_default("256"),
        "Entries of the instruction memory, a ring; programs of any length pass through.");
  declare_block(s, &RawOptwebSequencer::implementation, &RawOptwebSequencer::rtl, "in every step");
  return s;
}

Section<RawOptwebLink> link_section() {
  Section<RawOptwebLink> s("link", "A link and direction, with the link IP (SerialLite III) at both ends.");
  s.key("rate", &RawOptwebLink::rate, rate_type(kSlowest, kFastest), by_default("45Gb/s"),
        "Payload; at most a word per cycle.");
  s.key("transmit", &RawOptwebLink::transmit, cycle_span_type(0), by_default("16cycles"),
        "Sending side, between switch and link IP: data-active signal, clock crossing.");
  s.key("ip", &RawOptwebLink::ip, cycle_span_type(0), by_default("150ns"), "Link IP, both ends together.");
  s.key("receive", &RawOptwebLink::receive, cycle_span_type(0), by_default("17cycles"),
        "Receiving side, between link IP and switch: clock crossing, data-active signal recognized.");
  s.key("gap", &RawOptwebLink::gap, whole<std::uint32_t>(1, 15), by_default("1"),
        "Words between two runs of the data-active signal.");
  s.key("serial", &RawOptwebLink::serial, serial_section().type(),
        optional("words pass at 'rate', in step with the clock of the node"), serial_section().info()->meaning);
  s.key("errors", &RawOptwebLink::errors, errors_section().type(), optional("none"), errors_section().info()->meaning);
  s.key("frame", &RawOptwebLink::frame, data_size_type({64}, {8LL << 20}), by_default("2KiB"),
        "Frame of the IP, which has a check sum; whole words. With faults or errors.");
  s.key("turnaround", &RawOptwebLink::turnaround, cycle_span_type(0), by_default("10cycles"),
        "From the end of a bad frame until the answer is on its way back, both ends together. With errors.");
  s.key("timeout", &RawOptwebLink::timeout, cycle_span_type(1, kLongestTime), optional("as long as anything moves"),
        "An instruction that needs a link which has been down for so long ends the run with an error. With faults.");
  s.key("detour", &RawOptwebLink::detour, choice<OptwebDetour>(), by_default("none"),
        "Collectives of three or more nodes with a link that is down when they begin: none: they wait for it; relay: "
        "its two nodes go by way of a third one of the group. Collectives of one or two hops, with faults.");
  s.key("implementation", &RawOptwebLink::implementation, implementation_type(), by_default("model"),
        "Data-active signal at both ends: " + implementation_meaning("in every step"));
  s.key("rtl", &RawOptwebLink::rtl, word_type(), optional("Weft's own"), kRtlMeaning);
  return s;
}

Section<RawOptwebInstance> instance_section() {
  const auto block = [](const std::string& name, const std::string& meaning) {
    Section<RawBlock> s(name, meaning);
    declare_block_exception(s, &RawBlock::implementation, &RawBlock::rtl, "in every step", "nodes");
    return s;
  };
  Section<RawOptwebInstance> s("instance", "Exceptions for the named nodes; later entries win over earlier ones.");
  s.section("sequencer", &RawOptwebInstance::sequencer, block("sequencer", "The command sequencer of these nodes."));
  s.section("stripe_address", &RawOptwebInstance::stripe_address,
            block("stripe_address", "The address translation of their M_DMAC."));
  s.section("switch", &RawOptwebInstance::distributed_switch,
            block("switch", "The control of their distributed switches."));
  s.section("link", &RawOptwebInstance::link, block("link", "The data-active signal at their ends of links."));
  s.section("boxes", &RawOptwebInstance::boxes, own_boxes_section("Own boxes of these nodes.", "as for all nodes"));
  return s;
}

Section<RawOptwebWiring> wiring_section() {
  Section<RawOptwebWiring> s("wiring", "Wiring of the fibres between nodes; light takes 5 ns per metre.");
  s.key("kind", &RawOptwebWiring::kind, choice<OptwebWiring>(), by_default("direct"),
        "direct: a fibre per ordered pair; p_oh: fibre sheet (Parallel Optical Hub); w_oh: wavelength router "
        "(Wavelength-routing Optical Hub), two fibres per node.");
  s.key("length", &RawOptwebWiring::length, decimal_type(2, 0, 10'000'00), by_default("1"),
        "Metres of fibre from node to node.");
  s.key("hub", &RawOptwebWiring::hub, duration_type(kNoDelay, kLongestHub), by_default("0ns"),
        "p_oh, w_oh: delay of the hub besides that of the fibre.");
  return s;
}

Section<RawOptwebHostAccess> host_section() {
  Section<RawOptwebHostAccess> s("host",
                                 "Accesses of hosts to the memory of their node during the run, in turns with the "
                                 "DMACs; those of a node one after the other.");
  s.key("node", &RawOptwebHostAccess::node, whole<std::uint32_t>(0, kMostOptwebNodes - 1), required(), "Whose.");
  s.key("op", &RawOptwebHostAccess::op, choice<OptwebHostOp>(), required(),
        "read or write; what is written depends on the seed.");
  s.key("at", &RawOptwebHostAccess::at, cycle_span_type(0), by_default("0cycles"),
        "Time of the request, from the start of the run; cycles are those of the nominal clock.");
  s.key("stripe", &RawOptwebHostAccess::stripe, whole<std::uint32_t>(0, 127), by_default("0"),
        "Stripe (memory I/O) in which it begins.");
  s.key("address", &RawOptwebHostAccess::address, data_size_type(kNothing, kMaxMemory), by_default("0B"),
        "First byte, from the beginning of the stripe, in it.");
  s.key("size", &RawOptwebHostAccess::size, data_size_type(kOneByte, kMaxMemory), required(),
        "Bytes; they may go on in the next stripes. Of a write with data at most 64MiB.");
  return s;
}

Section<RawOptwebMeasure> measure_section() {
  Section<RawOptwebMeasure> s("measure",
                              "Writes the program: each operation with each size, after two barriers that line the "
                              "nodes up, between or from nodes 0 and 1 or over all nodes.");
  s.key(
      "operations", &RawOptwebMeasure::operations, list_of(word_type(), 1, 16),
      by_default("[barrier, transfer, sendrecv, scatter, gather, broadcast, alltoall, allgather]"),
      "Operations, also reduce, allreduce and reduce_scatter; multipath, multipath_broadcast and multipath_allreduce.");
  s.key("sizes", &RawOptwebMeasure::sizes, list_of(data_size_type(kOneByte, kMaxMemory), 1, 64),
        by_default("[64B, 128MiB]"), "Bytes from a node to another, ascending.");
  return s;
}

}  // namespace

Section<RawOptweb> optweb_section(const std::vector<std::string>& fabrics) {
  Section<RawOptweb> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  s.key("nodes", &RawOptweb::nodes, whole<std::uint32_t>(2, kMostOptwebNodes), required(),
        "FPGAs; their 64 links are enough for 64 of them in a full mesh, 968 in a dragonfly or hierarchy.");
  s.key("topology", &RawOptweb::topology, choice<OptwebTopology>(), by_default("full_mesh"),
        "full_mesh: a link between every two nodes; dragonfly: between those of a group, and between those in the same "
        "place of all groups; hierarchy: the same with groups of groups (levels).");
  s.key(
      "groups", &RawOptweb::groups, whole<std::uint32_t>(2, 22), optional("needed for a dragonfly"),
      "dragonfly: groups g of k - g + 2 nodes each, with k links per node, at most 64; k >= 3(g - 1) is recommended.");
  s.key("levels", &RawOptweb::levels, list_of(whole<std::uint32_t>(2, 64), 2, kMostOptwebLevels),
        optional("needed for a hierarchy"),
        "hierarchy: nodes in a group, groups in a group of groups, and so on; a node has a link to each that differs "
        "from it at one level only. Their product is the number of nodes.");
  s.key("clock", &RawOptweb::clock, clock_type(), by_default("200MHz"), "Clock of every part but the link IP.");
  s.section("clocks", &RawOptweb::clocks, clocks_section());
  s.key("word", &RawOptweb::word, data_size_type({64}, {8192}), by_default("32B"),
        "Width of all paths: memory interface, DMAC, switch, link.");
  s.section("memory", &RawOptweb::memory, memory_section());
  s.section("dmac", &RawOptweb::dmac, dmac_section());
  s.section("switch", &RawOptweb::distributed_switch, switch_section());
  s.section("sequencer", &RawOptweb::sequencer, sequencer_section());
  s.section("link", &RawOptweb::link, link_section());
  s.section(
      "boxes", &RawOptweb::boxes,
      own_boxes_section("Boxes of your own in the nodes, by the names under which a program or a plug-in (--plugin) "
                        "registers them.",
                        ""));
  s.section("wiring", &RawOptweb::wiring, wiring_section());
  declare_adapters(s, &RawOptweb::adapters);
  declare_faults(
      s, &RawOptweb::faults,
      "Links, and nodes with all their links, that fail: node n is sw[n], and has no NIC. What was on the wire "
      "is sent again when the link is back.");
  s.key("instances", &RawOptweb::instances, map_of("<nodes>", instance_section().type()), by_default("{}"),
        "Exceptions by node, such as 'node[5]' or 'node[0..3]'; later entries win over earlier ones.");
  s.key("multipath_from", &RawOptweb::multipath_from, data_size_type(kOneByte, kMaxMemory), by_default("16KiB"),
        "path automatic: transfers, broadcasts and allreduces of so many bytes or more take all paths.");
  s.key("multipath_relays", &RawOptweb::multipath_relays, choice<OptwebRelays>(), by_default("none"),
        "all: what takes all paths goes by way of nodes outside of its group as well, of all nodes of its program with "
        "links to all of the group; broadcasts and allreduces receive at K/2 by default.");
  s.key("mode", &RawOptweb::mode, choice<OptwebMode>(), by_default("data"),
        "data: bytes move from memory to memory; timing: only lengths, in the same cycles.");
  s.key("verify", &RawOptweb::verify, choice<OptwebVerify>(), by_default("none"),
        "data: every byte of every memory is compared with the result of MPI semantics, at the end of the run; with "
        "traffic, every message is compared with its source as it arrives.");
  declare_programs(s, ", program_file, measure or traffic");
  declare_program_file(s, ", programs, measure or traffic");
  s.key("measure", &RawOptweb::measure, measure_section().type(),
        optional("program, programs, program_file or traffic"), measure_section().info()->meaning);
  declare_traffic(s, optional("needed with traffic and trace"), optional("program, programs, program_file or measure"),
                  NodeRecords::waves_and_boxes);
  s.key("host", &RawOptweb::host, list_of(host_section().type(), 0, 4096), by_default("[]"),
        host_section().info()->meaning);
  return s;
}

}  // namespace weft

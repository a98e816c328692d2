// The one declaration of every key of programs.

#include "workload/program_schema.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "base/parsed_inputs.h"
#include "network/keys/port_range.h"
#include "workload/program_file.h"

namespace weft {
namespace {

constexpr DataSize kNothing{0};
constexpr DataSize kMaxMemory{8LL << 42};  // 4 TiB
// Schedules of collectives add up the data of all ranks, and networks count messages in bits.
static_assert(kMaxMemory.bits <= std::numeric_limits<std::int64_t>::max() / kMostProgramNodes);
constexpr DataSize kMaxStripe{8LL << 32};  // 2K, with K at most 2^31 bytes
// Instructions inside instructions: described by the section they stand in.
Type<RawProgramInstructions> repeated_type() {
  TypeInfo info;
  info.name = "list of instructions";
  info.range = schema_detail::count_range(1, kMostInstructions);
  info.form = list_form(enclosing_form(), 1, kMostInstructions);
  return {std::move(info), [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            return schema_detail::program_type().read(node, path, diagnostics);
          }};
}

// `send`, `receive`, `scratch` and `scratch2`, and what holds where they are not given.
template <class Raw>
void declare_addresses(Section<Raw>& s, Fallback send, Fallback receive, Fallback scratch, Fallback scratch2,
                       const std::string& more_of_receive) {
  const auto key = [&](const char* name, Given<DataSize> RawProgramAddresses::*field, Fallback otherwise,
                       const std::string& meaning) {
    s.key(name, static_cast<Given<DataSize> Raw::*>(field), data_size_type(kNothing, kMaxStripe), std::move(otherwise),
          meaning);
  };
  key("send", &RawProgramAddresses::send, std::move(send), "Relative address of what is sent.");
  key("receive", &RawProgramAddresses::receive, std::move(receive),
      "Relative address of what is received" + more_of_receive + ".");
  key("scratch", &RawProgramAddresses::scratch, std::move(scratch),
      "Relative address at which multipath routing and several hops keep data on the way.");
  key("scratch2", &RawProgramAddresses::scratch2, std::move(scratch2),
      "Relative address of data on the way after every second one of three or more hops.");
}

Section<RawProgramInstruction> instruction_section() {
  Section<RawProgramInstruction> s("instruction", "One instruction.");
  s.key("op", &RawProgramInstruction::op, choice<ProgramOp>(), optional("needed, unless something is repeated"),
        "Operation; transfer is a send at its source and a recv at its destination.");
  s.key("name", &RawProgramInstruction::name, text_type(), optional("the operation"), "Name in reports.");
  s.key("group", &RawProgramInstruction::group, node_list_type(kMostProgramNodes - 1, kMostProgramNodes),
        optional("all nodes"), "Nodes that take part in a collective, ascending; the others go on.");
  s.key("at", &RawProgramInstruction::at, node_list_type(kMostProgramNodes - 1, kMostProgramNodes),
        optional("all nodes of the program"), "send, recv, fence, compute: nodes that execute it.");
  s.key("source", &RawProgramInstruction::source, whole<std::uint32_t>(0, kMostProgramNodes - 1),
        optional("as the operation needs"), "transfer, recv, sendrecv: where data comes from.");
  s.key("destination", &RawProgramInstruction::destination, whole<std::uint32_t>(0, kMostProgramNodes - 1),
        optional("as the operation needs"), "transfer, send, sendrecv: where data goes.");
  s.key("between", &RawProgramInstruction::between, list_of(whole<std::uint32_t>(0, kMostProgramNodes - 1), 2, 2),
        optional("source and destination, or shift"), "sendrecv: two nodes that exchange data.");
  s.key("shift", &RawProgramInstruction::shift, whole<std::uint32_t>(1, kMostProgramNodes - 1),
        optional("source and destination, or between"),
        "sendrecv: every node sends to the one so many places further in the group.");
  s.key("root", &RawProgramInstruction::root, whole<std::uint32_t>(0, kMostProgramNodes - 1),
        optional("first node of the group"), "scatter, gather, broadcast, reduce.");
  s.key("size", &RawProgramInstruction::size, data_size_type(kNothing, kMaxMemory), optional("buffers.size"),
        "Bytes from a node to another; of transfer, broadcast, reduce and allreduce the whole. Reductions: whole "
        "elements.");
  declare_addresses(s, optional("buffers.send"), optional("buffers.receive"), optional("buffers.scratch"),
                    optional("buffers.scratch2"), "");
  s.key("path", &RawProgramInstruction::path, choice<ProgramPath>(), by_default("direct"),
        "transfer, broadcast: over one link, over all nodes of the group, or by size (multipath_from). allreduce: in "
        "one step, or as a reduce_scatter and an allgather.");
  s.key("combine", &RawProgramInstruction::combine, choice<ProgramCombine>(), by_default("sum"),
        "reduce, allreduce, reduce_scatter: what becomes of the elements of all nodes.");
  s.key("type", &RawProgramInstruction::type, choice<ProgramElement>(), by_default("int32"),
        "reduce, allreduce, reduce_scatter: elements of four bytes, little-endian.");
  s.key("time", &RawProgramInstruction::time, cycle_span_type(1), optional("needed for compute"),
        "compute: how long the user logic works.");
  s.key(
      "wait", &RawProgramInstruction::wait, boolean_type(), by_default("true"),
      "send: whether the program goes on when the message has left (true) or at once (false, a non-blocking send, not "
      "on OPTWEB); a program ends when its messages have left.");
  s.key("repeat", &RawProgramInstruction::repeat, whole<std::uint32_t>(1, kMostInstructions), optional("once"),
        "Instead of op: how often the instructions in 'program' are executed, one time after the other.");
  s.key("program", &RawProgramInstruction::program, repeated_type(), optional("needed for repeat"),
        "Instructions to repeat; may have repetitions in it.");
  return s;
}

}  // namespace

namespace schema_detail {

Section<RawProgramBuffers> program_buffers_section() {
  Section<RawProgramBuffers> s("buffers", "Defaults of instructions.");
  s.key("size", &RawProgramBuffers::size, data_size_type(kNothing, kMaxMemory), by_default("64B"),
        "Bytes from a node to another.");
  declare_addresses(s, by_default("0B"), optional("K, K / 2 or K * 3/4"), optional("K * 3/2"), optional("K / 2"),
                    "; from K on it lies in the other interface of the memory I/O; K / 2 for collectives of two hops "
                    "that keep data at scratch, K * 3/4 for those of four, and of two in hierarchies");
  return s;
}

Type<RawProgramInstructions> program_type() { return list_of(instruction_section().type(), 1, kMostInstructions); }

}  // namespace schema_detail

Section<RawProgramFile> program_file_section() {
  Section<RawProgramFile> s("", "Keys at the top level.");
  s.key("title", &RawProgramFile::title, text_type(), by_default("''"), "Title of the program, for readers.");
  s.key("nodes", &RawProgramFile::nodes, whole<std::uint32_t>(2, kMostProgramNodes), required(),
        "Nodes it is written for; a network must have as many.");
  declare_programs(s, "");
  return s;
}

namespace {

std::optional<RawProgramFile> read(const ConfigDocument& file, Diagnostics& diagnostics) {
  RawProgramFile raw = program_file_section().read(file.root, "", diagnostics);
  if (raw.program.given != raw.programs.given) return raw.nodes.valid ? std::optional(std::move(raw)) : std::nullopt;
  if (raw.program.given) {
    diagnostics.error(raw.programs.key_where, "only one of program and programs may be given");
  } else {
    diagnostics.error(file.root.where, "one of program and programs is needed");
  }
  return std::nullopt;
}

}  // namespace

std::optional<RawProgramFile> read_program_file(const Given<std::string>& key, const ConfigDocument& document,
                                                std::optional<std::uint32_t> nodes, Diagnostics& diagnostics) {
  const std::string path = document.resolve_path(key.value, key.where);
  try {
    const auto parsed = ParsedInputs::once<ConfigDocument>(path, [&] { return load_document(path); });
    const ConfigDocument& file = *parsed;
    if (const YamlEntry* fabric = file.root.find("fabric")) {
      diagnostics.error(fabric->key_where,
                        fmt::format("program_file: {} describes a network; expected a file with programs alone "
                                    "(nodes, program)",
                                    path));
      return std::nullopt;
    }
    auto raw = read(file, diagnostics);
    if (!raw || !nodes || raw->nodes.value == *nodes) return raw;
    diagnostics.error(raw->nodes.where, fmt::format("nodes: the program is written for {} nodes, the network has {}",
                                                    raw->nodes.value, *nodes));
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.all()) {
      const bool unreadable = d.where.line == 0;
      diagnostics.error(unreadable ? key.where : d.where,
                        unreadable ? fmt::format("program_file: {}: {}", d.where.text(), d.message) : d.message);
    }
  }
  return std::nullopt;
}

Section<RawAlgorithms> algorithms_section() {
  using collectives::AllgatherBy, collectives::AlltoallBy, collectives::BroadcastBy;
  constexpr DataSize kMostBytes{std::int64_t{1} << 43};
  Section<RawAlgorithms> s("algorithms",
                           "Algorithms by which collectives become messages; automatic: MPICH's, by size. torus: over "
                           "all links of a node at once, on a torus with one node per switch.");
  s.key("broadcast", &RawAlgorithms::broadcast, choice<BroadcastBy>(), by_default("automatic"),
        "Of broadcasts; torus: pipelines around rings that share no link.");
  s.key("allgather", &RawAlgorithms::allgather, choice<AllgatherBy>(), by_default("automatic"),
        "Of allgathers; torus: buckets around the rings of all dimensions, both ways.");
  s.key("alltoall", &RawAlgorithms::alltoall, choice<AlltoallBy>(), by_default("automatic"),
        "Of alltoalls; torus: dimension by dimension from neighbour to neighbour, both ways.");
  s.key("reduce", &RawAlgorithms::reduce, choice<collectives::ReduceBy>(), by_default("automatic"),
        "Of reduces; halving: reduce_scatter in pairs, then a gather.");
  s.key("allreduce", &RawAlgorithms::allreduce, choice<collectives::AllreduceBy>(), by_default("automatic"),
        "Of allreduces; doubling: all data are exchanged; halving: reduce_scatter and allgather in pairs; torus: "
        "reduce_scatter and allgather of a torus.");
  s.key("reduce_scatter", &RawAlgorithms::reduce_scatter, choice<collectives::ReduceScatterBy>(),
        by_default("automatic"), "Of reduce_scatters; torus: the allgather backwards.");
  s.key("torus_from", &RawAlgorithms::torus_from, data_size_type({0}, kMostBytes), by_default("12KiB"),
        "Size from which 'torus' is used, of the data of all nodes together; smaller collectives are automatic.");
  s.key("chunk", &RawAlgorithms::chunk, data_size_type({8}, kMostBytes), by_default("128KiB"),
        "Piece in the pipelines of a torus broadcast.");
  return s;
}

collectives::CollectiveAlgorithms resolve_algorithms(const RawAlgorithms& raw) {
  const auto bytes = [](const Given<DataSize>& size) { return static_cast<std::uint64_t>(size.value.bits) / 8; };
  return {.broadcast = raw.broadcast.value,
          .allgather = raw.allgather.value,
          .alltoall = raw.alltoall.value,
          .reduce = raw.reduce.value,
          .allreduce = raw.allreduce.value,
          .reduce_scatter = raw.reduce_scatter.value,
          .torus_from = bytes(raw.torus_from),
          .chunk = bytes(raw.chunk)};
}

void check_algorithms(const std::vector<NodeProgram>& programs, const collectives::CollectiveAlgorithms& algorithms,
                      Diagnostics& diagnostics) {
  for (const NodeProgram& p : programs) {
    for (const ProgramInstruction& in : p.instructions) {
      if (const std::string fault = collectives::algorithm_fault(algorithms, in); !fault.empty()) {
        diagnostics.error(in.where,
                          fmt::format("{}: endpoints.algorithms.{}: {}", to_string(in.op), to_string(in.op), fault));
      }
    }
  }
}

void check_unused_buffers(const RawPrograms& raw, Diagnostics& diagnostics) {
  if (!raw.buffers.given) return;
  diagnostics.error(raw.buffers.key_where, "buffers: has no effect, the program file has its own buffers");
}

bool is_program_file(const ConfigDocument& document) {
  const YamlNode& root = document.root;
  return root.find("fabric") == nullptr && (root.find("program") != nullptr || root.find("programs") != nullptr);
}

ProgramFile read_program_file(const ConfigDocument& document) {
  Diagnostics diagnostics;
  ProgramFile out;
  if (const auto raw = read(document, diagnostics)) {
    out = {raw->title.value, raw->nodes.value, {}};
    out.programs = resolve_programs(*raw, {.nodes = out.nodes, .period = Duration{1}}, diagnostics);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace weft

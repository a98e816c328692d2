#pragma once
// Programs of nodes: what files may say about them (raw), in a configuration itself or in a file of their own that any
// fabric can name, and the step to checked instructions.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collectives/algorithms.h"
#include "algorithms/collectives/program.h"
#include "schema/document.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

/// Of a program, repetitions written out.
inline constexpr std::size_t kMostInstructions = 100'000;
/// Nodes that programs can name; a block of data from one of them to another has a number of 32 bits.
inline constexpr std::uint32_t kMostProgramNodes = 65'535;

/// Relative addresses, of an instruction or of all that do not say them themselves.
struct RawProgramAddresses {
  Given<DataSize> send;
  Given<DataSize> receive;
  Given<DataSize> scratch;
  Given<DataSize> scratch2;
};

struct RawProgramBuffers : RawProgramAddresses {
  Given<DataSize> size;
};

struct RawProgramInstruction;
using RawProgramInstructions = std::vector<Placed<RawProgramInstruction>>;

/// An instruction, or several that are repeated.
struct RawProgramInstruction : RawProgramAddresses {
  Given<ProgramOp> op;
  Given<std::string> name;
  Given<std::vector<Placed<std::uint32_t>>> group;
  Given<std::vector<Placed<std::uint32_t>>> at;
  Given<std::uint32_t> source;
  Given<std::uint32_t> destination;
  Given<std::vector<Placed<std::uint32_t>>> between;
  Given<std::uint32_t> shift;
  Given<std::uint32_t> root;
  Given<DataSize> size;
  Given<ProgramPath> path;
  Given<ProgramCombine> combine;
  Given<ProgramElement> type;
  Given<CycleSpan> time;
  Given<bool> wait;
  Given<std::uint32_t> repeat;
  Given<RawProgramInstructions> program;  ///< what is repeated
};

/// The keys a configuration or a program file says its programs with.
struct RawPrograms {
  Given<RawProgramBuffers> buffers;
  Given<RawProgramInstructions> program;
  Given<std::vector<Named<RawProgramInstructions>>> programs;
};

/// The same in a configuration, which may name a program file instead.
struct RawConfigPrograms : RawPrograms {
  Given<std::string> program_file;
};

/// Overheads of messages at the processors of the nodes of a network of messages.
struct RawProgramSoftware {
  Given<CycleSpan> send_overhead;
  Given<CycleSpan> receive_overhead;
  Given<CycleSpan> combine;
};

/// A program file.
struct RawProgramFile : RawPrograms {
  Given<std::string> title;
  Given<std::uint32_t> nodes;
};

namespace schema_detail {
Section<RawProgramBuffers> program_buffers_section();
Type<RawProgramInstructions> program_type();
}  // namespace schema_detail

/// Declares `buffers`, `program` and `programs`; `otherwise` says what else can stand in the place of a program.
template <class Raw>
void declare_programs(Section<Raw>& s, const std::string& otherwise) {
  const auto buffers = schema_detail::program_buffers_section();
  s.key("buffers", static_cast<Given<RawProgramBuffers> Raw::*>(&RawPrograms::buffers), buffers.type(),
        by_default("{}"), buffers.info()->meaning);
  const auto type = schema_detail::program_type();
  s.key("program", static_cast<Given<RawProgramInstructions> Raw::*>(&RawPrograms::program), type,
        optional("programs" + otherwise), "The program that all nodes run (SPMD).");
  s.key("programs", static_cast<Given<std::vector<Named<RawProgramInstructions>>> Raw::*>(&RawPrograms::programs),
        map_of("<nodes>", type), optional("program" + otherwise),
        "Programs by node, such as 'node[0]' or 'node[1..3]'; a node without one does nothing.");
}

/// Declares `program_file`.
template <class Raw>
void declare_program_file(Section<Raw>& s, const std::string& otherwise) {
  s.key("program_file", static_cast<Given<std::string> Raw::*>(&RawConfigPrograms::program_file), path_type(),
        optional("program" + otherwise),
        "File with the programs, which any fabric with that number of nodes can run; its buffers apply instead of "
        "those of this file.");
}

/// Declares the keys of RawProgramSoftware. `piece` is combined at a time, by default as fast as `link`; messages go to
/// `interface` first.
template <class Raw>
void declare_software(Section<Raw>& s, const std::string& interface, const std::string& piece,
                      const std::string& link) {
  s.key("send_overhead", static_cast<Given<CycleSpan> Raw::*>(&RawProgramSoftware::send_overhead), cycle_span_type(0),
        by_default("320ns"),
        "Time of the node's processor or DMA for each message before it goes to " + interface +
            "; the default is the time in which an OPTWEB node configures a transfer and reads the memory.");
  s.key("receive_overhead", static_cast<Given<CycleSpan> Raw::*>(&RawProgramSoftware::receive_overhead),
        cycle_span_type(0), by_default("30ns"),
        "The same for each received message; the default is the time in which an OPTWEB node checks its size.");
  s.key("combine", static_cast<Given<CycleSpan> Raw::*>(&RawProgramSoftware::combine), cycle_span_type(0),
        by_default("1cycle"),
        "Reductions: time to combine one " + piece +
            " with the node's own data, after the receive overhead; by "
            "default as fast as " +
            link + ".");
}

/// `endpoints.algorithms`, of networks that carry messages.
struct RawAlgorithms {
  Given<collectives::BroadcastBy> broadcast;
  Given<collectives::AllgatherBy> allgather;
  Given<collectives::AlltoallBy> alltoall;
  Given<collectives::ReduceBy> reduce;
  Given<collectives::AllreduceBy> allreduce;
  Given<collectives::ReduceScatterBy> reduce_scatter;
  Given<DataSize> torus_from;
  Given<DataSize> chunk;
};

Section<RawAlgorithms> algorithms_section();
/// All but the dimensions of the torus.
collectives::CollectiveAlgorithms resolve_algorithms(const RawAlgorithms& raw);
/// Reports each instruction that cannot be lowered as chosen.
void check_algorithms(const std::vector<NodeProgram>& programs, const collectives::CollectiveAlgorithms& algorithms,
                      Diagnostics& diagnostics);

Section<RawProgramFile> program_file_section();

/// The program file that `key` names, for so many nodes if that is known. Reports what is wrong and returns nothing
/// where it cannot be used at all.
std::optional<RawProgramFile> read_program_file(const Given<std::string>& key, const ConfigDocument& document,
                                                std::optional<std::uint32_t> nodes, Diagnostics& diagnostics);

/// With a program file, buffers beside it would have no effect: an error.
void check_unused_buffers(const RawPrograms& raw, Diagnostics& diagnostics);

/// Description of a fabric by itself.
struct ProgramTarget {
  std::uint32_t nodes = 0;
  Duration period{};                  ///< of the clock that computations are counted in
  std::uint64_t interface_bytes = 0;  ///< K: where addresses that are not given lie; 0 for fabrics without addresses
  /// Steps that a collective of these nodes takes: one when they all have links to each other; between steps, data rest
  /// at `scratch` and `scratch2`. None: always one.
  std::function<std::size_t(const std::vector<NodeId>&)> steps = nullptr;
  bool keeps_twice = false;  ///< data may rest at `scratch2`, too
};

/// Reports collectives of the same nodes that have different roots, sizes or reductions in different programs
/// (workload/program_matches.cpp).
void compare_programs(const std::vector<NodeProgram>& programs, Diagnostics& diagnostics);

/// Default place at which an instruction receives.
std::uint64_t default_receive(const ProgramInstruction& instruction, const ProgramTarget& target);

/// The programs in `raw`, checked; everything that is wrong goes to `diagnostics`.
std::vector<NodeProgram> resolve_programs(const RawPrograms& raw, const ProgramTarget& target,
                                          Diagnostics& diagnostics);

inline bool has_programs(const RawConfigPrograms& raw) {
  return raw.program.given || raw.programs.given || raw.program_file.given;
}

/// A network of messages, as its programs see it.
struct MessageNetwork {
  std::string kind;                    ///< "packet network"
  std::optional<std::uint32_t> nodes;  ///< nothing: the file of its topology knows
  Location topology;
  Duration period;  ///< of the clock that computations are counted in
};

/// Programs of a network of messages, and what says how many nodes they are for.
struct NetworkPrograms {
  Location where;
  std::uint32_t nodes = 0;
  std::vector<NodeProgram> programs;
};

/// A key by its name.
struct NamedKey {
  const char* name;
  const KeyState& key;
};
/// Reports each of `others` that is given: "circuits: " and `why`.
void refuse_keys(const std::vector<NamedKey>& others, const std::string& why, Diagnostics& diagnostics);
/// Whether exactly one of program, programs and program_file is given; reports it otherwise, and those of `others` that
/// stand beside programs although they cannot be combined with them; `why`: the end of that message.
bool check_alone(const RawConfigPrograms& raw, const std::vector<NamedKey>& others, Diagnostics& diagnostics,
                 const std::string& why = {});

/// The programs that `raw` has or names. Reports what is wrong with them and with the number of nodes; nothing when
/// they cannot be used at all. Precondition: one of program, programs and program_file is given.
std::optional<NetworkPrograms> resolve_network_programs(const RawConfigPrograms& raw, const ConfigDocument& document,
                                                        const MessageNetwork& network, Diagnostics& diagnostics);

/// Throws InputError when the messages that programs have under way at once need more memory than may be used.
/// `packets`: of a message, as far as the network keeps something for each of them (program_memory.cpp).
void need_program_memory(const std::vector<NodeProgram>& programs,
                         const std::function<std::uint64_t(std::uint64_t bytes)>& packets,
                         const collectives::CollectiveAlgorithms& algorithms = {});

/// Common part of instructions that a fabric writes itself: all nodes, addresses and size of `raw.buffers`.
ProgramInstruction common_instruction(const RawPrograms& raw, const ProgramTarget& target, const std::string& path,
                                      Diagnostics& diagnostics);

}  // namespace weft

// The program that `measure` of an OPTWEB network stands for.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "fabrics/optweb/keys/optweb_schema.h"

namespace weft {
namespace {

struct MeasuredOperation {
  const char* word;
  ProgramOp op;
  ProgramPath path;
};
constexpr MeasuredOperation kMeasured[] = {
    {"barrier", ProgramOp::barrier, ProgramPath::direct},
    {"transfer", ProgramOp::transfer, ProgramPath::direct},
    {"multipath", ProgramOp::transfer, ProgramPath::multipath},
    {"sendrecv", ProgramOp::sendrecv, ProgramPath::direct},
    {"scatter", ProgramOp::scatter, ProgramPath::direct},
    {"gather", ProgramOp::gather, ProgramPath::direct},
    {"broadcast", ProgramOp::broadcast, ProgramPath::direct},
    {"multipath_broadcast", ProgramOp::broadcast, ProgramPath::multipath},
    {"alltoall", ProgramOp::alltoall, ProgramPath::direct},
    {"allgather", ProgramOp::allgather, ProgramPath::direct},
    {"reduce", ProgramOp::reduce, ProgramPath::direct},
    {"allreduce", ProgramOp::allreduce, ProgramPath::direct},
    {"multipath_allreduce", ProgramOp::allreduce, ProgramPath::multipath},
    {"reduce_scatter", ProgramOp::reduce_scatter, ProgramPath::direct},
};

// `common`: nodes and addresses. Point-to-point operations are between nodes 0 and 1.
ProgramInstruction measured_instruction(const MeasuredOperation& op, std::uint64_t bytes,
                                        const ProgramInstruction& common, const Location& where) {
  ProgramInstruction i = common;
  i.where = where;
  i.name = op.word;
  i.op = op.op;
  i.path = op.path;
  i.measured = true;
  i.bytes = op.op == ProgramOp::barrier ? 0 : bytes;
  if (op.op == ProgramOp::transfer) {
    i.source = 0;
    i.destination = 1;
  }
  if (op.op == ProgramOp::sendrecv) {
    i.group = {0, 1};
    i.shift = 1;
  }
  return i;
}

// Whole bytes, ascending.
std::vector<std::uint64_t> measured_sizes(const RawOptwebMeasure& measure, Diagnostics& diagnostics) {
  std::vector<std::uint64_t> out;
  for (const auto& s : measure.sizes.value) {
    const auto bytes = static_cast<std::uint64_t>(s.value.bits) / 8;
    if (s.value.bits % 8 != 0 || (!out.empty() && bytes <= out.back())) {
      diagnostics.error(s.where,
                        fmt::format("measure.sizes: expected whole bytes, ascending, got '{}'", to_string(s.value)));
    }
    out.push_back(bytes);
  }
  return out;
}

// `levels`: of the network. With more than two, what an allreduce receives stays where its steps have it.
void place_results(RawProgramInstructions& list, const DataSize& where, std::size_t levels) {
  for (auto& i : list) {
    RawProgramInstruction& in = i.value;
    place_results(in.program.value, where, levels);
    const bool rests = in.op.value == ProgramOp::broadcast || (in.op.value == ProgramOp::allreduce && levels < 3);
    if (!in.op.given || !rests || in.path.value == ProgramPath::direct || in.receive.given) continue;
    in.receive.given = true;
    in.receive.value = where;
  }
}

}  // namespace

RawPrograms with_relay_places(const RawPrograms& programs, const OptwebConfig& config) {
  RawPrograms out = programs;
  if (config.relays == OptwebRelays::none || programs.buffers.value.receive.given) return out;
  const DataSize where{static_cast<std::int64_t>(4 * config.interface_bytes)};  // bits
  const std::size_t levels = config.levels.size();
  place_results(out.program.value, where, levels);
  for (auto& p : out.programs.value) place_results(p.value, where, levels);
  return out;
}

std::vector<ProgramInstruction> measured_program(const RawOptwebMeasure& measure, const ProgramInstruction& common,
                                                 const std::function<void(ProgramInstruction&)>& place,
                                                 Diagnostics& diagnostics) {
  std::vector<std::string> words;
  for (const MeasuredOperation& o : kMeasured) words.emplace_back(o.word);
  const std::vector<std::uint64_t> sizes = measured_sizes(measure, diagnostics);
  std::vector<ProgramInstruction> out;
  std::vector<std::string> before;
  for (const auto& word : measure.operations.value) {
    const auto found = std::find_if(std::begin(kMeasured), std::end(kMeasured),
                                    [&](const MeasuredOperation& o) { return word.value == o.word; });
    if (found == std::end(kMeasured)) {
      diagnostics.error(word.where, fmt::format("measure.operations: unknown operation '{}' (expected one of: {}){}",
                                                word.value, fmt::join(words, ", "), did_you_mean(word.value, words)));
      continue;
    }
    if (std::find(before.begin(), before.end(), word.value) != before.end()) {
      diagnostics.error(word.where, fmt::format("measure.operations: '{}' stands there twice", word.value));
      continue;
    }
    before.push_back(word.value);
    for (const std::uint64_t bytes : sizes) {
      for (int i = 0; i < 2; ++i) {
        out.push_back(measured_instruction(kMeasured[0], 0, common, word.where));
        out.back().measured = false;  // it only lines the nodes up
      }
      out.push_back(measured_instruction(*found, bytes, common, word.where));
      place(out.back());
      if (is_reduction(found->op) && bytes % kElementBytes != 0) {
        diagnostics.error(word.where, fmt::format("measure.sizes: {} B are not whole elements of {} bytes, which '{}' "
                                                  "needs",
                                                  bytes, kElementBytes, word.value));
        break;
      }
      if (found->op == ProgramOp::barrier) break;
    }
  }
  return out;
}

}  // namespace weft

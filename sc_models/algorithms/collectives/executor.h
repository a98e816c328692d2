#pragma once
// Runs the programs of nodes on a network of messages: which node sends what when, and when it goes on.
//
// A node executes one instruction after the other, and an instruction round by round. Its processor does one thing at
// a time, in order: `send_overhead` for each message before the message goes to the network interface, and
// `receive_overhead` for each message after its last byte has come, and for those of reductions the time to combine
// them with what the node has; a computation occupies it as well. A send is over when the message has left the
// interface, a receive when the processor has taken the message; a round is over when all of its messages are. Messages
// that come early wait, in memory without limit. A send that does not wait is over once its overhead is paid; the
// program ends when all such messages have left. The n-th message from one node to another belongs to the n-th receive
// there; different sizes or operations at both ends are an error (RunError).
//
// Programs over circuits that change (phased_programs.h) tell the port which step each node has come to. A node tells
// of its next step once it has sent what belongs to the one before, also while it computes. A message to several nodes
// leaves once; each destination receives it as one of its own.
//
// The executor has no clock: it asks its port to send and to wake it, and is told what has happened.
//
// Several executors, each in a process of its own, can run the nodes of one network together. A message to a node of
// another one brings a word along: its number among the messages from its source to its destination, and the
// instruction that sends it. So it meets the receive that it belongs to there, whatever order messages arrive in.

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "algorithms/collectives/phased_programs.h"
#include "algorithms/collectives/unmatched.h"

namespace weft::collectives {

/// The network, as the executor sees it.
class MessagePort {
 public:
  virtual ~MessagePort() = default;
  /// Puts a message into the interface of its source, now; left() and arrived() will be called for it, later.
  virtual void send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) = 0;
  /// woken(node, at) will be called. at > now.
  virtual void wake(NodeId node, Cycle at) = 0;

  // Of phased programs:

  /// The same for several nodes; left() will be called for `message`, arrived() for copy_for() it at each node.
  virtual void multicast(std::uint32_t /*message*/, NodeId /*source*/, const std::vector<NodeId>& /*group*/,
                         std::uint64_t /*bytes*/) {}
  /// What the node sends from now on belongs to this step or to later ones.
  virtual void reach(NodeId /*node*/, std::uint32_t /*step*/) {}
};

struct ExecutorOptions {
  std::uint32_t nodes = 0;
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  std::uint64_t combine_bits = 8;  ///< that are combined in a time of
  Cycle combine = 0;
  std::vector<bool> here{};                ///< by node, those that this executor runs; empty: all
  const PhasedPrograms* phased = nullptr;  ///< of these programs; must outlive the executor; only when it runs all
  CollectiveAlgorithms algorithms{};       ///< of collectives that become messages
};

/// Times of an instruction of a program, over all nodes that executed it.
struct InstructionRecord {
  std::uint32_t nodes = 0;
  const char* algorithm = "";
  Cycle first_started = 0;
  Cycle last_started = 0;
  Cycle first_completed = 0;
  Cycle last_completed = 0;
  Cycle busy = 0;  ///< sum over nodes of the time from its start to its completion there
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

struct NodeRecord {
  std::int64_t program = -1;  ///< index, -1: none
  Cycle finished = -1;        ///< -1: not yet
  Cycle computing = 0;
  Cycle software = 0;  ///< overheads
  std::uint64_t sent = 0, received = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
};

/// An instruction that a node has completed.
struct Execution {
  NodeId node = 0;
  std::uint32_t instruction = 0;  ///< its place in the node's program
  Cycle started = 0;
  Cycle completed = 0;
};

class Executor {
 public:
  static constexpr std::size_t kMostExecutions = 200'000;  ///< that are recorded
  static constexpr std::size_t kMostDescribed = 64;        ///< lines of an error

  /// `programs` and the port must outlive the executor.
  Executor(const std::vector<NodeProgram>& programs, const ExecutorOptions& options, MessagePort& port);

  void start(Cycle now);
  void woken(NodeId node, Cycle now);
  void left(std::uint32_t message, Cycle now);
  void arrived(std::uint32_t message, Cycle now);
  /// A message is about to arrive at a node: its number for arrived() there. Once for each node; of a message to a
  /// single one its own.
  std::uint32_t copy_for(std::uint32_t message, NodeId node);

  /// Word of a message to a node of another executor, from send() on.
  std::uint64_t word(std::uint32_t message) const;
  /// A message from there is about to arrive: the number for arrived().
  std::uint32_t come(NodeId source, NodeId destination, std::uint64_t bytes, std::uint64_t word);
  /// Messages to nodes of other executors less those that have come from there, modulo 2^64: 0 in sum when none is
  /// under way between two of them.
  std::uint64_t away() const { return away_; }
  /// Records, and what nodes wait for, as collect() reads it.
  std::string state() const;
  /// Becomes what all of these say together, one of which is its own, to be looked at only.
  void collect(const std::vector<std::string>& states);

  /// All programs are over.
  bool finished() const { return running_ == 0; }
  bool runs(NodeId node) const { return options_.here.empty() || options_.here[node]; }
  /// Messages that have not left, not arrived or both.
  std::uint64_t under_way() const { return under_way_; }
  /// Waiting nodes, at most kMostDescribed of them, with their instructions, what they wait for, and what the other
  /// node does. For when no further progress is possible.
  std::string describe_blocked() const;
  /// Throws RunError when a message has no receive, with at most kMostDescribed of them. Precondition: finished() and
  /// under_way() == 0.
  void check_over() const;

  /// [program][instruction]
  const std::vector<std::vector<InstructionRecord>>& instructions() const { return instructions_; }
  const std::vector<NodeRecord>& nodes() const { return records_; }
  /// The first instructions that nodes have completed, kMostExecutions of them and what was completed in the same cycle
  /// as the last one, in the order of their completion.
  const std::vector<Execution>& executions() const { return executions_; }
  /// Instructions that nodes have completed.
  std::uint64_t completed() const { return completed_; }

 private:
  enum class JobKind { send, receive, compute };
  struct Job {
    JobKind kind;
    Cycle cycles;
    std::size_t index;  // send: in the round; receive: message
  };
  struct Message {
    NodeId source = 0, destination = 0;
    std::uint64_t bytes = 0;
    const ProgramInstruction* instruction = nullptr;
    bool combine = false, matched = false, left = false, arrived = false;
    bool waits = true;         // its source waits until it has left
    bool known = true;         // false: it will come from another executor, and a later one has come already
    std::uint32_t number = 0;  // to a node of another executor: among those from its source to its destination
  };
  struct Expected {
    std::uint64_t bytes;
    const ProgramInstruction* instruction;
    bool combine;
  };
  struct Node {
    const NodeProgram* program = nullptr;
    std::size_t next = 0;  // instruction
    const ProgramInstruction* instruction = nullptr;
    NodeWork work;            // a piece of its rounds
    std::uint32_t piece = 0;  // the first of them
    std::uint32_t round = 0;  // next one
    std::size_t open = 0;     // messages and computations that the present round waits for
    std::size_t leaving = 0;  // messages of sends that do not wait
    std::deque<Job> jobs;     // of the processor
    bool busy = false;        // with the first job
    Cycle started = 0;        // of the instruction
    // Of phased programs:
    std::uint32_t layers = 0;  // that it has begun
    bool told = false;         // of a step, the last one
    std::uint32_t step = 0;    // being this
    std::size_t ahead = 0;     // instruction up to which it has looked for the next one
  };
  /// A message to several nodes.
  struct Multicast {
    std::vector<std::pair<NodeId, std::uint32_t>> copies;  // destination and its message
    std::size_t missing = 0;                               // destinations that it has not come to
    bool left = false;
  };
  /// Messages from a node of another executor to one of this one.
  struct Inbound {
    std::uint32_t first = 0;            // of those that have not come, by number
    std::deque<std::uint32_t> awaited;  // from that one on; kNone: it has come
  };
  struct State;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  InstructionRecord& record(const Node& node);
  std::uint32_t new_message();
  void announce(std::uint32_t message);
  std::uint32_t place_of(NodeId node, const ProgramInstruction& instruction) const;
  const ProgramInstruction& instruction_at(NodeId node, std::uint32_t place) const;
  void progress(NodeId n, Cycle now);
  bool next_step(NodeId n, Cycle now);
  void begin_round(NodeId n);
  void run_jobs(NodeId n, Cycle now);
  void finish_job(NodeId n);
  void send(NodeId n, const NodeMessage& m);
  void multicast(NodeId n, const NodeMessage& m);
  bool multicast_left(std::uint32_t message, Cycle now);
  NodeWork work_of(NodeId n, const ProgramInstruction& instruction);
  void tell_step(NodeId n, const NodeRound& round);
  void look_ahead(NodeId n);
  void reach(NodeId n, std::uint32_t step);
  void reach_messages(NodeId n);
  void match_up(std::uint32_t message, const Expected& expected);
  void queue_receive(std::uint32_t message);
  void release(std::uint32_t message);
  std::string doing(NodeId n) const;

  ExecutorOptions options_;
  MessagePort& port_;
  const std::vector<NodeProgram>& programs_;
  std::vector<Node> nodes_;
  std::vector<NodeRecord> records_;
  std::vector<std::vector<InstructionRecord>> instructions_;
  std::vector<Execution> executions_;
  // From a node to another; of a pair of nodes at most one of the two holds something.
  UnmatchedQueues<std::uint32_t> unexpected_;  // messages
  UnmatchedQueues<Expected> expected_;         // receives
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;
  std::uint64_t running_ = 0;
  std::uint64_t under_way_ = 0;
  std::uint64_t completed_ = 0;
  // Of several executors; by source and destination.
  std::unordered_map<std::uint64_t, std::uint32_t> sent_away_;
  std::unordered_map<std::uint64_t, Inbound> inbound_;
  std::unordered_map<std::uint32_t, Expected> receives_ahead_;  // of messages that are not known
  std::uint64_t away_ = 0;
  std::unordered_map<std::uint32_t, Multicast> multicasts_;
  std::set<std::string> names_;  // of algorithms, that others have told
};

}  // namespace weft::collectives

#include "parallel/mpi_ranks.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <string_view>
#include <thread>

#include "base/diagnostics.h"
#include "parallel/mpi_job.h"

namespace weft {
namespace {

constexpr int kExchangeTag = 1;
constexpr int kTreeTag = 2;
constexpr int kStopTag = 3;
constexpr int kRestTag = 4;

int count_of(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw RunError("ranks have more than 2 GiB to tell each other at once");
  }
  return static_cast<int>(bytes);
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    send_eagerly();
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_dup(MPI_COMM_WORLD, &running_);
    MPI_Comm_dup(MPI_COMM_WORLD, &standing_);
    MPI_Irecv(nullptr, 0, MPI_BYTE, MPI_ANY_SOURCE, kStopTag, standing_, &stop_notice_);
  }
  // Stopped ranks leave messages behind that nobody has asked for. Each takes what comes until all know that everything
  // has been taken.
  ~MpiRanks() override {
    for (MPI_Request& r : receiving_) cancel(r);
    MPI_Request all = MPI_REQUEST_NULL;
    bool sent = false;
    for (int done = 0; done == 0;) {
      take_all(running_);
      take_all(standing_);
      if (!sent) {
        int complete = 0;
        MPI_Testall(static_cast<int>(sending_.size()), sending_.data(), &complete, MPI_STATUSES_IGNORE);
        sent = complete != 0;
        if (sent) MPI_Ibarrier(standing_, &all);
      } else {
        MPI_Test(&all, &done, MPI_STATUS_IGNORE);
      }
    }
    cancel(stop_notice_);
    MPI_Comm_free(&running_);
    MPI_Comm_free(&standing_);
    MPI_Finalize();
  }

  RankId rank() const override { return static_cast<RankId>(rank_); }
  RankId size() const override { return static_cast<RankId>(size_); }

  RankChannel& open_channel(RankId other, std::size_t usual) override {
    Channel& c = channels_.emplace_back();
    c.other = static_cast<int>(other);
    c.usual = std::max<std::size_t>(1, usual);
    receive(c);
    return c.ends;
  }

  // What the next exchange brings is waited for from now on, so that it goes where it belongs at once. What has been
  // brought lies in the other one of two buffers. A message that fills the buffer is followed by the rest of it, which
  // may be nothing.
  void exchange() override {
    sending_.resize(channels_.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      Channel& c = channels_[i];
      c.sent.swap(c.ends.out);
      counts_.bytes += c.sent.size();
      const std::size_t first = std::min(c.sent.size(), c.usual);
      MPI_Isend(c.sent.data(), count_of(first), MPI_BYTE, c.other, kExchangeTag, running_, &sending_[i]);
      if (first < c.usual) continue;
      MPI_Request& rest = sending_.emplace_back(MPI_REQUEST_NULL);
      MPI_Isend(c.sent.data() + first, count_of(c.sent.size() - first), MPI_BYTE, c.other, kRestTag, running_, &rest);
    }
    statuses_.resize(channels_.size());
    const auto begin = std::chrono::steady_clock::now();
    wait(receiving_, statuses_.data());
    waiting_ += std::chrono::steady_clock::now() - begin;
    ++counts_.exchanges;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      Channel& c = channels_[i];
      int bytes = 0;
      MPI_Get_count(&statuses_[i], MPI_BYTE, &bytes);
      std::swap(c.buffer, c.received);
      if (static_cast<std::size_t>(bytes) == c.usual) bytes += take_rest(c);
      c.ends.in = {c.received.data(), static_cast<std::size_t>(bytes)};
    }
    wait(sending_, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      Channel& c = channels_[i];
      c.ends.out.clear();
      c.buffer.resize(c.usual);
      MPI_Irecv(c.buffer.data(), count_of(c.usual), MPI_BYTE, c.other, kExchangeTag, running_, &receiving_[i]);
    }
  }

  // Up a binary tree to rank 0 and down again: in messages that can be given up, as those of MPI's own collectives
  // cannot.
  std::vector<std::string> gather(const std::string& mine) override {
    if (all_stand_) return compare(mine);
    ++counts_.questions;
    std::vector<std::string> all(size());
    all[rank()] = mine;
    for (const int child : children()) {
      for (auto& [from, text] : unpack(get(child))) all[from] = std::move(text);
    }
    if (rank_ != 0) {
      put(parent(), pack(all, [&](RankId r) { return below(static_cast<int>(r)); }));
      for (auto& [from, text] : unpack(get(parent()))) all[from] = std::move(text);
    }
    for (const int child : children()) answer(child, pack(all, [](RankId) { return true; }));
    return all;
  }

  void sum(std::span<std::uint64_t> numbers) override {
    if (all_stand_) {
      MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()), MPI_UINT64_T, MPI_SUM, standing_);
      return;
    }
    ++counts_.questions;
    const std::size_t bytes = numbers.size_bytes();
    for (const int child : children()) {
      const std::vector<char> text = get(child);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::uint64_t n = 0;
        std::memcpy(&n, text.data() + i * sizeof n, sizeof n);
        numbers[i] += n;
      }
    }
    const auto told = [&] {
      const char* const first = reinterpret_cast<const char*>(numbers.data());
      return std::vector<char>(first, first + bytes);
    };
    if (rank_ != 0) {
      put(parent(), told());
      const std::vector<char> text = get(parent());
      std::memcpy(numbers.data(), text.data(), bytes);
    }
    for (const int child : children()) answer(child, told());
  }

  RankCounts counted() const override {
    RankCounts out = counts_;
    out.channels = channels_.size();
    out.waiting_s = std::chrono::duration<double>(waiting_).count();
    return out;
  }

  void stop() override {
    if (stopped_) return;
    stopped_ = true;
    for (int r = 0; r < size_; ++r) {
      if (r == rank_) continue;
      MPI_Request sending = MPI_REQUEST_NULL;
      MPI_Isend(nullptr, 0, MPI_BYTE, r, kStopTag, standing_, &sending);
      sending_.push_back(sending);
    }
  }

  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

  std::vector<std::string> compare(const std::string& mine) override {
    int stopped = stopped_ ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &stopped, 1, MPI_INT, MPI_MAX, standing_);
    stopped_ = all_stand_ = stopped != 0;
    const int bytes = count_of(mine.size());
    std::vector<int> sizes(size()), places(size());
    MPI_Allgather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, standing_);
    for (RankId r = 1; r < size(); ++r) places[r] = places[r - 1] + sizes[r - 1];
    std::vector<char> all(static_cast<std::size_t>(places.back() + sizes.back()));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, standing_);
    std::vector<std::string> out;
    for (RankId r = 0; r < size(); ++r) {
      out.emplace_back(all.data() + places[r], static_cast<std::size_t>(sizes[r]));
    }
    return out;
  }

 private:
  struct Channel {
    RankChannel ends;
    int other = 0;
    std::size_t usual = 1;            // bytes of a message that comes in one piece, at most
    ByteBuffer sent;                  // on its way
    std::vector<std::byte> buffer;    // for what comes next
    std::vector<std::byte> received;  // by the last exchange
  };

  // Open MPI asks the receiver before it sends more than 4 KiB to another process of a machine, which takes longer than
  // to copy what ranks tell each other in a window. What the user has set stays.
  static void send_eagerly() {
    constexpr bool kReplace = false;
    for (const char* name : {"OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_vader_max_send_size"}) {
      setenv(name, "65536", kReplace);
    }
  }
  void receive(Channel& c) {
    MPI_Request& request = receiving_.emplace_back();
    c.buffer.resize(c.usual);
    c.received.resize(c.usual);
    MPI_Irecv(c.buffer.data(), count_of(c.usual), MPI_BYTE, c.other, kExchangeTag, running_, &request);
  }
  /// Behind what a channel has received; returns the number of bytes.
  int take_rest(Channel& c) {
    MPI_Message message;
    MPI_Status status;
    wait_for([&] {
      int found = 0;
      MPI_Improbe(c.other, kRestTag, running_, &found, &message, &status);
      return found != 0;
    });
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    c.received.resize(c.usual + static_cast<std::size_t>(bytes));
    MPI_Mrecv(c.received.data() + c.usual, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return bytes;
  }
  static void cancel(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return;
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  static void take_all(MPI_Comm from) {
    for (int found = 1; found != 0;) {
      MPI_Message message;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, from, &found, &message, &status);
      if (found == 0) return;
      int bytes = 0;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      std::vector<std::byte> nobody(static_cast<std::size_t>(bytes));
      MPI_Mrecv(nobody.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    }
  }

  // Until `done()`, or another rank has stopped. The others mostly come within microseconds; where there are more ranks
  // than cores, one that waits for longer leaves its core to them.
  template <class Done>
  void wait_for(Done&& done) {
    constexpr unsigned kLook = 64;  // turns between two looks whether another rank has stopped
    constexpr unsigned kPatience = 2000;
    for (unsigned turns = 1; !done(); ++turns) {
      if (turns % kLook == 0) look_for_stop();
      if (turns > kPatience) std::this_thread::yield();
    }
  }
  void wait(std::vector<MPI_Request>& requests, MPI_Status* statuses) {
    wait_for([&] {
      int complete = 0;
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &complete, statuses);
      return complete != 0;
    });
  }
  void look_for_stop() {
    if (stopped_) throw RanksStopped();
    int came = 0;
    MPI_Test(&stop_notice_, &came, MPI_STATUS_IGNORE);
    if (came == 0) return;
    stopped_ = true;
    throw RanksStopped();
  }

  int parent() const { return (rank_ - 1) / 2; }
  std::vector<int> children() const {
    std::vector<int> out;
    for (const int child : {2 * rank_ + 1, 2 * rank_ + 2}) {
      if (child < size_) out.push_back(child);
    }
    return out;
  }
  /// In the part of the tree that this rank is the root of.
  bool below(int r) const {
    while (r > rank_) r = (r - 1) / 2;
    return r == rank_;
  }
  void put(int to, std::vector<char> text) {
    told_.push_back(std::move(text));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(told_.back().data(), count_of(told_.back().size()), MPI_BYTE, to, kTreeTag, running_, &request);
    sending_.push_back(request);  // where it is taken care of should the others stop
    wait_for([&] {
      int complete = 0;
      MPI_Test(&sending_.back(), &complete, MPI_STATUS_IGNORE);
      return complete != 0;
    });
    sending_.pop_back();
    told_.pop_back();
  }
  // What all ranks have said is known here, so it counts even if one that has heard it first has stopped by now, as
  // happens when it is an error: the message is then given up, the answer is not.
  void answer(int to, std::vector<char> text) {
    try {
      put(to, std::move(text));
    } catch (const RanksStopped&) {  // its request stays among those that are given up
    }
  }
  std::vector<char> get(int from) {
    MPI_Message message;
    MPI_Status status;
    wait_for([&] {
      int found = 0;
      MPI_Improbe(from, kTreeTag, running_, &found, &message, &status);
      return found != 0;
    });
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<char> text(static_cast<std::size_t>(bytes));
    MPI_Mrecv(text.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return text;
  }
  template <class Chosen>
  std::vector<char> pack(const std::vector<std::string>& all, Chosen&& chosen) const {
    std::vector<char> out;
    const auto add = [&](const void* from, std::size_t bytes) {
      const char* const first = static_cast<const char*>(from);
      out.insert(out.end(), first, first + bytes);
    };
    for (RankId r = 0; r < size(); ++r) {
      if (!chosen(r)) continue;
      const std::uint64_t head[] = {r, all[r].size()};
      add(head, sizeof head);
      add(all[r].data(), all[r].size());
    }
    return out;
  }
  static std::vector<std::pair<RankId, std::string>> unpack(const std::vector<char>& packed) {
    std::vector<std::pair<RankId, std::string>> out;
    for (const char* at = packed.data(); at < packed.data() + packed.size();) {
      std::uint64_t head[2];
      std::memcpy(head, at, sizeof head);
      at += sizeof head;
      out.emplace_back(static_cast<RankId>(head[0]), std::string(at, head[1]));
      at += head[1];
    }
    return out;
  }

  int rank_ = 0;
  int size_ = 1;
  MPI_Comm running_ = MPI_COMM_NULL;   // of the simulation as long as nobody has stopped
  MPI_Comm standing_ = MPI_COMM_NULL;  // of everything else
  MPI_Request stop_notice_ = MPI_REQUEST_NULL;
  bool stopped_ = false;    // this rank, or another one that has told it
  bool all_stand_ = false;  // all ranks know that one has stopped
  RankCounts counts_;
  std::chrono::steady_clock::duration waiting_{};
  std::deque<Channel> channels_;
  std::vector<MPI_Request> receiving_;  // by channel
  std::vector<MPI_Request> sending_;    // by channel, and what was given up
  std::vector<MPI_Status> statuses_;
  std::deque<std::vector<char>> told_;
};

}  // namespace

void leave_mpi_job() {
  for (const char* name : kJobSizes) unsetenv(name);
}

std::unique_ptr<Ranks> join_mpi_job() { return processes_of_job() > 1 ? std::make_unique<MpiRanks>() : nullptr; }

}  // namespace weft

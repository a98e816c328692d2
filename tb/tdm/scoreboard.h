#pragma once
// Queue of what a block must show on its pins, between the driver's reference and the monitor. Every item is due in one
// cycle: early, late, wrong, unasked and missing ones are all errors, and at the end of a run the queue must be empty.

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace weft::pins {

using Cycle = std::int64_t;

/// Errors of a bench; the first few with their text.
class Errors {
 public:
  void add(Cycle cycle, const std::string& text) {
    if (count_++ < 10) texts_.push_back(fmt::format("cycle {}: {}", cycle, text));
  }
  std::uint64_t count() const { return count_; }
  std::string text() const { return fmt::format("{} errors\n{}", count_, fmt::join(texts_, "\n")); }
  void clear() {
    count_ = 0;
    texts_.clear();
  }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::string> texts_;
};

/// Item: equality comparable, with a member `std::string text() const`.
template <class Item>
class Scoreboard {
 public:
  Scoreboard(std::string name, Errors& errors) : name_(std::move(name)), errors_(&errors) {}

  void expect(Cycle due, Item item) { queue_.emplace_back(due, std::move(item)); }

  /// The monitor has seen `item` in `cycle`.
  void observe(Cycle cycle, const Item& item) {
    ++observed_;
    missing_until(cycle);
    if (queue_.empty() || queue_.front().first != cycle) {
      errors_->add(cycle, fmt::format("{}: {} out of nowhere", name_, item.text()));
      return;
    }
    if (!(queue_.front().second == item)) {
      errors_->add(cycle, fmt::format("{}: {} instead of {}", name_, item.text(), queue_.front().second.text()));
    }
    queue_.pop_front();
  }

  /// The monitor has seen nothing in `cycle`.
  void observe_nothing(Cycle cycle) { missing_until(cycle + 1); }

  /// Reports and removes what is still due.
  void end(Cycle cycle) {
    if (!queue_.empty()) errors_->add(cycle, fmt::format("{}: {} items left at the end", name_, queue_.size()));
    queue_.clear();
  }

  std::uint64_t observed() const { return observed_; }

 private:
  void missing_until(Cycle cycle) {
    while (!queue_.empty() && queue_.front().first < cycle) {
      errors_->add(cycle, fmt::format("{}: {} of cycle {} is missing", name_, queue_.front().second.text(),
                                      queue_.front().first));
      queue_.pop_front();
    }
  }

  std::string name_;
  Errors* errors_;
  std::deque<std::pair<Cycle, Item>> queue_;
  std::uint64_t observed_ = 0;
};

}  // namespace weft::pins

#pragma once
// Message log of a run: one line per message that has arrived, in order of arrival and, within a cycle, of
// destinations.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weft {

class MessageLog {
 public:
  /// Of a message, with what decides on its place.
  struct Line {
    Cycle arrived = 0;
    NodeId to = 0;
    std::string text;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(arrived, to, text);
    }
  };

  static std::string file(bool complete) { return complete ? "messages.csv" : "messages.partial.csv"; }

  /// `heading`: the first line. `keeps`: lines are kept to be joined with those of other ranks.
  explicit MessageLog(std::string heading, bool keeps = false) : heading_(std::move(heading)), keeps_(keeps) {}

  /// Cycles do not decrease.
  void add(Line line) {
    if (!keeps_ && !lines_.empty() && line.arrived != lines_.back().arrived) flush();
    lines_.push_back(std::move(line));
  }
  /// Forgets all lines.
  void restart() {
    lines_.clear();
    text_.clear();
  }
  /// Those that are kept, or are of the last cycle.
  const std::vector<Line>& lines() const { return lines_; }
  void join(std::vector<Line> more) {
    lines_.insert(lines_.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  /// Everything.
  std::string text() {
    flush();
    return heading_ + text_;
  }

 private:
  // Which of the lines of a cycle and a destination comes first has no meaning.
  void flush() {
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return a.arrived != b.arrived ? a.arrived < b.arrived : a.to < b.to;
    });
    for (const Line& line : lines_) text_ += line.text;
    lines_.clear();
  }

  std::string heading_;
  bool keeps_;
  std::string text_;
  std::vector<Line> lines_;  // that are not in the text yet
};

}  // namespace weft

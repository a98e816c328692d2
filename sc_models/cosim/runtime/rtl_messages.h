#pragma once
// Messages of Verilated code while it runs: text ($display, failed assertions) and ends ($stop, $fatal, $finish).
//
// Verilator's runtime prints the text and ends the process. Here its hooks write into the RtlMessages that listen while
// a block is evaluated, so that whoever evaluates it can turn an end into an error of its own, with place and time.
// Without a listener (pin-level benches) text is printed and an end aborts the process, as in Verilator.

#include <string>
#include <vector>

namespace weft {

/// Thrown out of Verilated code that somebody listens to, after its reason has been told: where it calls vl_fatal() it
/// does not expect to go on. A combinational loop that does not settle would be evaluated for ever.
struct RtlFatal {};

class RtlMessages {
 public:
  /// From construction to destruction, Verilated code of this thread tells `messages`. It may throw RtlFatal.
  class Listening {
   public:
    explicit Listening(RtlMessages& messages);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    RtlMessages* const before_;
  };

  /// The code has come to an end, a reason or several have been given: "file:line: $stop", or what a failed assertion
  /// has printed.
  bool ended() const { return !ends_.empty(); }
  const std::vector<std::string>& ends() const { return ends_; }
  /// Text that is not the reason of an end, as it was printed; taken out.
  std::string take_text();
  bool has_text() const { return !text_.empty(); }
  void clear();

  // The hooks.
  void print(const std::string& text) { text_ += text; }
  /// `reason`: where the code has not printed one.
  void end(const char* file, int line, const std::string& reason);

 private:
  std::vector<std::string> ends_;
  std::string text_;
};

}  // namespace weft

#pragma once
// Signals of modules that are not Weft's, in the waveforms of its networks. Whoever embeds a network registers them
// before its waveform is opened (run/trace.h has a form for SystemC's signals). They are read when the waveform is
// written, twice in each cycle of the network that the waveform shows: at its end and half a period later. A network
// that has nothing to do writes nothing; who tells that a signal has changed wakes it for the cycle that begins next.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct UserSignal {
  std::vector<std::string> scopes;  ///< from the outermost
  std::string name;
  std::uint32_t width = 1;                  ///< bits; 0: text
  std::function<std::uint64_t()> read;      ///< empty: it keeps the value that the waveform showed last
  std::shared_ptr<const std::string> text;  ///< of one that is text
};

/// `path`: "cpu.bus.address". `width`: 1 to 64. `read` is called until the last waveform is closed or
/// leave_user_signals() is. Throws InputError
/// for another width, an empty name, blanks in one, for a path that is there already, and while a waveform is open.
void trace(const std::string& path, std::uint32_t width, std::function<std::uint64_t()> read);

/// Signal whose value is text. In the file a bit stands beside it, `NAME_valid`: whether the text is not empty.
class TracedText {
 public:
  /// Throws as trace(). It may end before the waveform does, which then shows its last text on.
  explicit TracedText(const std::string& path);
  void set(std::string text);

 private:
  std::shared_ptr<std::string> text_;
};

/// Some signal has changed.
void user_signal_changed();
/// The waveform of `owner` is open: `call` for each change, until close_user_signals(). What is registered from now on
/// would be missing in it, so trace() and TracedText throw InputError.
void open_user_signals(const void* owner, std::function<void()> call);
void close_user_signals(const void* owner);

/// The objects behind the signals may end from now on: none is read again. `look`: they still have the values that they
/// had now, otherwise those that the waveform showed last.
void leave_user_signals(bool look);

/// In the order in which they came.
const std::vector<UserSignal>& user_signals();

}  // namespace weft

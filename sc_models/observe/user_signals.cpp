#include "observe/user_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <map>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::vector<UserSignal>& all() {
  static std::vector<UserSignal> signals;
  return signals;
}

// Of the waveforms that are open.
std::map<const void*, std::function<void()>>& listeners() {
  static std::map<const void*, std::function<void()>> calls;
  return calls;
}

}  // namespace

void user_signal_changed() {
  for (const auto& [owner, call] : listeners()) call();
}

void open_user_signals(const void* owner, std::function<void()> call) { listeners()[owner] = std::move(call); }

void close_user_signals(const void* owner) { listeners().erase(owner); }

namespace {

UserSignal& add_signal(const std::string& path) {
  const auto error = [&](const std::string& text) {
    return InputError({"trace"}, fmt::format("'{}': {}", path, text));
  };
  if (!listeners().empty()) {
    throw error("a waveform is open already and would not have it; signals are registered before open_waves()");
  }
  UserSignal signal;
  boost::algorithm::split(signal.scopes, path, boost::is_any_of("."));
  const auto bad = [](const std::string& part) {
    return part.empty() || part.find_first_of(" \t\n") != std::string::npos;
  };
  if (std::any_of(signal.scopes.begin(), signal.scopes.end(), bad)) {
    throw error("expected names that are joined by points and have no blanks, such as cpu.bus.address");
  }
  signal.name = signal.scopes.back();
  signal.scopes.pop_back();
  for (const UserSignal& s : all()) {
    if (s.name == signal.name && s.scopes == signal.scopes) throw error("there is a signal of this name already");
  }
  all().push_back(std::move(signal));
  return all().back();
}

}  // namespace

void trace(const std::string& path, std::uint32_t width, std::function<std::uint64_t()> read) {
  if (width < 1 || width > 64)
    throw InputError({"trace"}, fmt::format("'{}': {} bits; 1 to 64 are possible", path, width));
  UserSignal& signal = add_signal(path);
  signal.width = width;
  signal.read = std::move(read);
}

TracedText::TracedText(const std::string& path) : text_(std::make_shared<std::string>()) {
  UserSignal& signal = add_signal(path);
  signal.width = 0;
  signal.text = text_;
}

void TracedText::set(std::string text) {
  *text_ = std::move(text);
  user_signal_changed();
}

void leave_user_signals(bool look) {
  for (UserSignal& s : all()) {
    if (s.text != nullptr || s.read == nullptr) continue;
    if (look) {
      s.read = [value = s.read()] { return value; };
    } else {
      s.read = nullptr;
    }
  }
}

const std::vector<UserSignal>& user_signals() { return all(); }

}  // namespace weft

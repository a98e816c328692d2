#include "observe/user_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::vector<UserSignal>& all() {
  static std::vector<UserSignal> signals;
  return signals;
}

std::function<void()>& listener() {
  static std::function<void()> call;
  return call;
}

}  // namespace

void user_signal_changed() {
  if (listener()) listener()();
}

void on_user_signal(std::function<void()> call) { listener() = std::move(call); }

void trace(const std::string& path, std::uint32_t width, std::function<std::uint64_t()> read) {
  const auto error = [&](const std::string& text) {
    return InputError({"trace"}, fmt::format("'{}': {}", path, text));
  };
  UserSignal signal;
  boost::algorithm::split(signal.scopes, path, boost::is_any_of("."));
  const auto bad = [](const std::string& part) {
    return part.empty() || part.find_first_of(" \t\n") != std::string::npos;
  };
  if (std::any_of(signal.scopes.begin(), signal.scopes.end(), bad)) {
    throw error("expected names that are joined by points and have no blanks, such as cpu.bus.address");
  }
  if (width < 1 || width > 64) throw error(fmt::format("{} bits; 1 to 64 are possible", width));
  signal.name = signal.scopes.back();
  signal.scopes.pop_back();
  signal.width = width;
  signal.read = std::move(read);
  for (const UserSignal& s : all()) {
    if (s.name == signal.name && s.scopes == signal.scopes) throw error("there is a signal of this name already");
  }
  all().push_back(std::move(signal));
}

const std::vector<UserSignal>& user_signals() { return all(); }

}  // namespace weft

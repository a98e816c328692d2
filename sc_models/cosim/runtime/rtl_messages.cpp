#include "cosim/runtime/rtl_messages.h"

#include "cosim/runtime/runtime_hooks.h"  // before Verilator's words for the same

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace weft {
namespace {

thread_local RtlMessages* listening = nullptr;

constexpr std::size_t kMostEnds = 20;  // an assertion can fail in every replica of a generate loop

// A line that a failed assertion, $error or $fatal has printed: "[5000] %Error: file.sv:12: Assertion failed in ...".
constexpr const char* kError = "%Error: ";

std::string where(const char* file, int line) {
  return file == nullptr || *file == '\0' ? std::string() : std::string(file) + ":" + std::to_string(line) + ": ";
}

}  // namespace

RtlMessages::Listening::Listening(RtlMessages& messages) : before_(std::exchange(listening, &messages)) {}
RtlMessages::Listening::~Listening() { listening = before_; }

std::string RtlMessages::take_text() { return std::exchange(text_, {}); }

void RtlMessages::clear() {
  ends_.clear();
  text_.clear();
}

void RtlMessages::end(const char* file, int line, const std::string& reason) {
  std::string said = where(file, line) + reason;
  if (const std::size_t error = text_.find(kError); error != std::string::npos) {
    const std::size_t begin = text_.rfind('\n', error) + 1;  // 0 when it is the first line
    said = text_.substr(error + std::string(kError).size());
    while (!said.empty() && said.back() == '\n') said.pop_back();
    text_.erase(begin);
  }
  if (ends_.size() < kMostEnds) ends_.push_back(std::move(said));
}

}  // namespace weft

// Names and signatures are those of verilated.h.

void vl_finish(const char* filename, int linenum, const char*) VL_MT_UNSAFE {
  if (weft::listening == nullptr) {
    std::printf("- %s:%d: Verilog $finish\n", filename, linenum);
    Verilated::threadContextp()->gotFinish(true);
    return;
  }
  weft::listening->end(filename, linenum, "$finish");
}

void vl_stop(const char* filename, int linenum, const char* hier) VL_MT_UNSAFE {
  if (weft::listening == nullptr) {
    vl_fatal(filename, linenum, hier, "Verilog $stop");
    return;
  }
  weft::listening->end(filename, linenum, "$stop");
}

void vl_fatal(const char* filename, int linenum, const char*, const char* msg) VL_MT_UNSAFE {
  if (weft::listening == nullptr) {
    std::printf("%%Error: %s%s\nAborting...\n", weft::where(filename, linenum).c_str(), msg);
    Verilated::runFlushCallbacks();
    Verilated::runExitCallbacks();
    std::abort();
  }
  weft::listening->end(filename, linenum, msg);
  throw weft::RtlFatal();
}

int weft_rtl_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = 0;
  if (weft::listening == nullptr) {
    length = std::vprintf(format, arguments);
  } else {
    va_list again;
    va_copy(again, arguments);
    length = std::vsnprintf(nullptr, 0, format, arguments);
    std::string text(static_cast<std::size_t>(length < 0 ? 0 : length), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    weft::listening->print(text);
  }
  va_end(arguments);
  return length;
}

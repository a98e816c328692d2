// Where there are no images of processes: other processors and systems.
#include "base/diagnostics.h"
#include "base/image/image_format.h"
#include "base/image/process_image.h"

#ifndef WEFT_PROCESS_IMAGE

#include <sys/resource.h>

namespace weft {

std::string no_process_image() { return "they need x86-64 Linux"; }
ImageMoment save_process(const std::filesystem::path& /*file*/, const ImageNote& /*note*/) {
  throw RunError(no_process_image());
}
ImageNote check_process_image(const std::filesystem::path& file) {
  throw InputError({file.string()}, no_process_image());
}
void resume_process(const std::filesystem::path& file) { throw InputError({file.string()}, no_process_image()); }
std::chrono::steady_clock::time_point running_now() { return std::chrono::steady_clock::now(); }
double processor_time_used() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace weft

#endif

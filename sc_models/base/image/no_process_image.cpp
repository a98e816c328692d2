// Where there are no images of processes: other processors and systems.
#include "base/diagnostics.h"
#include "base/image/image_format.h"
#include "base/image/process_image.h"

#ifndef WEFT_PROCESS_IMAGE

namespace weft {

std::string no_process_image() { return "they need x86-64 Linux"; }
ImageMoment save_process(const std::filesystem::path& /*file*/, const ImageNote& /*note*/,
                         const std::function<void()>& /*before_signals*/) {
  throw RunError(no_process_image());
}
class ProcessImage::Impl {};
ProcessImage::ProcessImage(const std::filesystem::path& file) { throw InputError({file.string()}, no_process_image()); }
ProcessImage::~ProcessImage() = default;
const ImageNote& ProcessImage::note() const { throw RunError(no_process_image()); }
void ProcessImage::resume() { throw RunError(no_process_image()); }

}  // namespace weft

#endif

#include "fabrics/tdm/blocks.h"

#include "fabrics/tdm/model_data_path.h"

namespace weft {

std::unique_ptr<DataPath> BlockFactory::data_path(const BlockSite& site, DataPathClient& client) {
  return std::make_unique<ModelDataPath>(client, site.ports, site.slots);
}

std::unique_ptr<SlotLutIf> BlockFactory::slot_lut(const BlockSite& site) {
  return std::make_unique<SlotLut>(site.ports, site.slots);
}

std::unique_ptr<HostInterface> BlockFactory::host_interface(const HostSite& site, HostInterfaceClient& client) {
  return std::make_unique<ModelHostInterface>(client, site.slots, *site.messages);
}

}  // namespace weft

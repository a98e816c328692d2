#pragma once
// Ascending list of nodes. Copies share the nodes: programs written out have many instructions that name the same ones.

#include <algorithm>
#include <compare>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace weft {

class NodeList {
 public:
  NodeList() : NodeList(std::vector<NodeId>()) {}
  NodeList(std::vector<NodeId> nodes)  // NOLINT(google-explicit-constructor): it is one
      : nodes_(std::make_shared<const std::vector<NodeId>>(std::move(nodes))) {}
  NodeList(std::initializer_list<NodeId> nodes) : NodeList(std::vector<NodeId>(nodes)) {}
  operator const std::vector<NodeId>&() const { return *nodes_; }  // NOLINT(google-explicit-constructor)

  auto begin() const { return nodes_->begin(); }
  auto end() const { return nodes_->end(); }
  std::size_t size() const { return nodes_->size(); }
  bool empty() const { return nodes_->empty(); }
  NodeId front() const { return nodes_->front(); }
  NodeId operator[](std::size_t i) const { return (*nodes_)[i]; }
  bool contains(NodeId node) const { return std::binary_search(begin(), end(), node); }

  friend bool operator==(const NodeList& a, const NodeList& b) {
    return a.nodes_ == b.nodes_ || *a.nodes_ == *b.nodes_;
  }
  friend std::strong_ordering operator<=>(const NodeList& a, const NodeList& b) {
    return a.nodes_ == b.nodes_ ? std::strong_ordering::equal : *a.nodes_ <=> *b.nodes_;
  }

 private:
  std::shared_ptr<const std::vector<NodeId>> nodes_;
};

}  // namespace weft

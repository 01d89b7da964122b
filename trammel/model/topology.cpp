#include "trammel/model/topology.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/build/spanning_tree.hpp"
#include "trammel/model/description/joint_table.hpp"

namespace trammel {

namespace {

// An edge of the graph: a joint or constraint between two nodes, with its name.
struct Link {
  int from = 0, to = 0;
  std::string name;
  std::optional<JointId> joint;
  bool is_in_tree = false;  // of the model: preferred in this tree
  Topology::Chain::Step::Kind kind = Topology::Chain::Step::Kind::joint;
};

int other_end(const Link& link, int node) { return link.from == node ? link.to : link.from; }

class TopologyFinder {
 public:
  explicit TopologyFinder(const Model& model) : model_(model) {
    merge_what_is_fixed();
    list_links();
    stand_on_bases();
    count_joints();
  }

  Topology find() {
    out_.nodes = nodes_;
    out_.edges = int(links_.size());
    if (links_.empty() && !out_.floats) return out_;
    find_loops();
    out_.kind = kind();
    find_reference();
    out_.form = form();
    find_open_arms();
    return out_;
  }

 private:
  const Description& description() const { return model_.description(); }
  int node_of(BodyId body) const { return node_of_body_[std::size_t(index(body))]; }
  BodyId place(const std::string& frame_or_body) const {
    if (const auto frame = model_.find_frame(frame_or_body)) return model_[*frame].body;
    return *model_.find_body(frame_or_body);
  }
  // a terrain lies on a frame or body
  BodyId floor(const std::string& name) const {
    const auto terrain = std::ranges::find(description().terrains, name, &TerrainDescription::name);
    return place(terrain == description().terrains.end() ? name : terrain->on);
  }
  std::vector<int>& links_at(int node) { return at_[std::size_t(node)]; }
  bool is_base(int node) const { return is_base_[std::size_t(node)]; }

  void merge_what_is_fixed() {
    std::vector<Edge> rigid;
    for (const NamedJoint& joint : model_.joints())
      if (joint.kind == JointKind::fixed)
        rigid.push_back({index(joint.parent), index(joint.child)});
    for (const ConstraintDescription& constraint : description().constraints)
      if (constraint.kind == ConstraintDescription::Kind::weld)
        rigid.push_back({index(place(constraint.frame)), index(place(constraint.other_frame))});
    node_of_body_ = groups(int(model_.named_bodies().size()), rigid);
    nodes_ = 1 + *std::ranges::max_element(node_of_body_);
    // a node has the name of its body with the most joints, then of the heaviest
    std::vector<std::tuple<int, double>> best(std::size_t(nodes_), {-1, -1.0});
    std::vector<int> joints(model_.named_bodies().size(), 0);
    for (const NamedJoint& joint : model_.joints())
      for (const BodyId body : {joint.parent, joint.child}) ++joints[std::size_t(index(body))];
    name_of_.resize(std::size_t(nodes_));
    for (std::size_t b = 0; b < node_of_body_.size(); ++b) {
      const auto node = std::size_t(node_of_body_[b]);
      const std::tuple<int, double> claim{joints[b], model_.numbers().own_inertia[b].mass};
      if (node == 0 || claim <= best[node]) continue;
      best[node] = claim;
      name_of_[node] = BodyId(int(b));
    }
  }
  // Group of each body, numbered in the order of their first bodies: that of ground is 0.
  static std::vector<int> groups(int bodies, const std::vector<Edge>& edges) {
    std::vector<std::vector<int>> next(static_cast<std::size_t>(bodies));
    for (const Edge& edge : edges) {
      next[std::size_t(edge.parent)].push_back(edge.child);
      next[std::size_t(edge.child)].push_back(edge.parent);
    }
    std::vector<int> group(std::size_t(bodies), -1);
    int count = 0;
    for (int first = 0; first < bodies; ++first) {
      if (group[std::size_t(first)] >= 0) continue;
      std::vector<int> stack{first};
      group[std::size_t(first)] = count;
      while (!stack.empty()) {
        const int body = stack.back();
        stack.pop_back();
        for (const int neighbor : next[std::size_t(body)])
          if (group[std::size_t(neighbor)] < 0)
            group[std::size_t(neighbor)] = count, stack.push_back(neighbor);
      }
      ++count;
    }
    return group;
  }

  void list_links() {
    using Kind = Topology::Chain::Step::Kind;
    for (std::size_t k = 0; k < model_.joints().size(); ++k) {
      const NamedJoint& joint = model_.joints()[k];
      if (joint.kind == JointKind::fixed) {
        count_rigid_loop(joint);
        continue;
      }
      const Link link{node_of(joint.parent), node_of(joint.child), joint.name, JointId(int(k)),
                      joint.role == NamedJoint::Role::tree};
      (dofs(description().joints[std::size_t(joint.description)]) == 6 ? free_ : links_)
          .push_back(link);
    }
    for (const ConstraintDescription& constraint : description().constraints)
      if (constraint.kind != ConstraintDescription::Kind::weld)
        links_.push_back({node_of(place(constraint.frame)), node_of(place(constraint.other_frame)),
                          constraint.name, std::nullopt, false, Kind::constraint});
    for (const WheelDescription& wheel : description().wheels)
      links_.push_back({node_of(floor(wheel.on)), node_of(*model_.find_body(wheel.body)),
                        wheel.name, std::nullopt, false, Kind::wheel});
  }
  // a weld between bodies that other welds already join closes a loop in which nothing moves
  void count_rigid_loop(const NamedJoint& joint) {
    if (joint.role == NamedJoint::Role::loop &&
        model_[joint.parent].tree_body == model_[joint.child].tree_body)
      out_.loops.push_back({joint.name});
  }

  // Bases: ground, and one body of each connected component without ground, which floats.
  void stand_on_bases() {
    at_.resize(std::size_t(nodes_));
    for (std::size_t k = 0; k < links_.size(); ++k)
      for (const int node : {links_[k].from, links_[k].to}) links_at(node).push_back(int(k));
    is_base_.assign(std::size_t(nodes_), false);
    is_base_[0] = true;
    std::vector<bool> is_reached(std::size_t(nodes_), false);
    reach(0, is_reached);
    for (const Link& link : free_)
      for (const int end : {link.from, link.to})
        if (!is_reached[std::size_t(end)]) {
          is_base_[std::size_t(end)] = true;
          reach(end, is_reached);
        }
    out_.floats = links_at(0).empty() && nodes_ > 1;
  }
  void reach(int start, std::vector<bool>& is_reached) {
    std::vector<int> stack{start};
    is_reached[std::size_t(start)] = true;
    while (!stack.empty()) {
      const int node = stack.back();
      stack.pop_back();
      for (const int k : links_at(node))
        if (const int next = other_end(links_[std::size_t(k)], node);
            !is_reached[std::size_t(next)])
          is_reached[std::size_t(next)] = true, stack.push_back(next);
    }
  }
  void count_joints() {
    for (int node = 0; node < nodes_; ++node)
      if (const int joints = int(links_at(node).size()); node > 0 && joints > out_.most_joints) {
        out_.most_joints = joints;
        out_.most_joined = name_of_[std::size_t(node)];
      }
  }

  // Breadth-first search from the bases, the model's tree joints before its cut joints; every
  // remaining edge closes a loop.
  void find_loops() {
    up_.assign(std::size_t(nodes_), -1);
    depth_.assign(std::size_t(nodes_), -1);
    std::vector<bool> is_used(links_.size(), false);
    for (const bool only_tree : {true, false}) {
      std::queue<int> queue;
      for (int node = 0; node < nodes_; ++node) {
        if (is_base(node)) depth_[std::size_t(node)] = 0;
        if (depth_[std::size_t(node)] >= 0) queue.push(node);
      }
      while (!queue.empty()) {
        const int node = queue.front();
        queue.pop();
        for (const int k : links_at(node)) {
          const Link& link = links_[std::size_t(k)];
          const int next = other_end(link, node);
          if ((only_tree && !link.is_in_tree) || depth_[std::size_t(next)] >= 0) continue;
          depth_[std::size_t(next)] = depth_[std::size_t(node)] + 1;
          up_[std::size_t(next)] = k;
          is_used[std::size_t(k)] = true;
          queue.push(next);
        }
      }
    }
    is_bridge_.assign(links_.size(), true);
    for (std::size_t k = 0; k < links_.size(); ++k)
      if (!is_used[k]) out_.loops.push_back(way_round(int(k)));
    count_internal_loops();
  }
  // The edges of a loop; edges that are in no loop are bridges.
  Topology::Loop way_round(int closing) {
    std::vector<int> there{closing}, back;
    int a = links_[std::size_t(closing)].from, b = links_[std::size_t(closing)].to;
    const auto step = [&](int& node, std::vector<int>& way) {
      way.push_back(up_[std::size_t(node)]);
      node = other_end(links_[std::size_t(way.back())], node);
    };
    while (a != b)
      if (depth_[std::size_t(a)] >= depth_[std::size_t(b)])
        step(a, there);
      else
        step(b, back);
    there.insert(there.end(), back.rbegin(), back.rend());
    Topology::Loop loop;
    for (const int k : there) {
      loop.push_back(links_[std::size_t(k)].name);
      is_bridge_[std::size_t(k)] = false;
    }
    return loop;
  }
  void count_internal_loops() {
    std::vector<bool> is_reached = is_base_;
    int pieces = 0, inner_nodes = 0, inner_links = 0;
    for (int node = 0; node < nodes_; ++node) {
      if (is_base(node)) continue;
      ++inner_nodes;
      if (is_reached[std::size_t(node)]) continue;
      ++pieces;
      reach(node, is_reached);
    }
    for (const Link& link : links_) inner_links += !is_base(link.from) && !is_base(link.to) ? 1 : 0;
    out_.internal_loops = inner_links - inner_nodes + pieces;
  }

  bool is_one_chain() {
    int stands = 0;
    for (int node = 0; node < nodes_; ++node) {
      if (is_base(node))
        stands += int(links_at(node).size());
      else if (links_at(node).size() > 2)
        return false;
    }
    return stands <= (out_.loops.empty() ? 1 : 2) &&
           std::ranges::count(is_base_, true) <= (links_at(0).empty() ? 2 : 1);
  }
  Topology::Kind kind() {
    using enum Topology::Kind;
    if (out_.loops.empty()) return is_one_chain() ? serial : tree;
    return std::ranges::count(is_bridge_, true) == 0 ? closed : complex;
  }
  Topology::Form form() {
    using enum Topology::Form;
    if (out_.loops.empty()) return is_one_chain() ? serial_open : branched;
    if (is_one_chain() && out_.kind == Topology::Kind::closed) return serial_closed;
    if (out_.reference) return simple_closed;
    return out_.internal_loops > 0 ? internal_loops : multiple_closed;
  }

  // Takes a body away: the rest must be serial chains, each with at most one end on a base and one
  // on the body. Chains with both carry the body.
  struct Removal {
    bool leaves_chains = true;
    int tree_bodies = 0;
    int longest = 0, shortest = 1 << 30;
  };
  Removal without(int reference) {
    Removal result;
    std::vector<bool> is_seen(std::size_t(nodes_), false);
    for (int start = 0; start < nodes_; ++start) {
      if (is_base(start) || start == reference || is_seen[std::size_t(start)]) continue;
      int length = 0, on_base = 0, on_reference = 0, inner = 0;
      std::vector<int> stack{start};
      is_seen[std::size_t(start)] = true;
      while (!stack.empty()) {
        const int node = stack.back();
        stack.pop_back();
        ++length;
        if (links_at(node).size() > 2) return {false};
        for (const int k : links_at(node)) {
          const int next = other_end(links_[std::size_t(k)], node);
          if (is_base(next))
            ++on_base;
          else if (next == reference)
            ++on_reference;
          else {
            ++inner;
            if (!is_seen[std::size_t(next)])
              is_seen[std::size_t(next)] = true, stack.push_back(next);
          }
        }
      }
      if (on_base > 1 || on_reference > 1 || inner != 2 * (length - 1)) return {false};
      if (on_base == 0 || on_reference == 0) continue;
      ++result.tree_bodies;
      result.longest = std::max(result.longest, length);
      result.shortest = std::min(result.shortest, length);
    }
    for (const int k : links_at(reference))
      if (is_base(other_end(links_[std::size_t(k)], reference)))
        ++result.tree_bodies, result.shortest = 0;
    return result;
  }
  // Nodes that may be the reference body, without a test of each: the only body with more than two
  // joints; if there is none, the middle of the only chain between bases. Ascending.
  std::vector<int> reference_candidates() {
    std::vector<int> branched;
    for (int node = 0; node < nodes_; ++node)
      if (!is_base(node) && links_at(node).size() > 2) branched.push_back(node);
    if (!branched.empty()) return branched.size() == 1 ? branched : std::vector<int>();
    std::vector<int> chain;  // nodes from base to base
    for (int node = 0; node < nodes_; ++node) {
      if (is_base(node) || links_at(node).size() != 2) continue;
      const int k = links_at(node)[0], other = links_at(node)[1];
      const bool begins = is_base(other_end(links_[std::size_t(k)], node));
      const bool begins_other = is_base(other_end(links_[std::size_t(other)], node));
      if (!begins && !begins_other) continue;
      if (!chain.empty() && (chain.front() == node || chain.back() == node)) continue;
      std::vector<int> nodes{node};
      for (int at = node, edge = begins ? other : k;;) {
        at = other_end(links_[std::size_t(edge)], at);
        if (is_base(at)) break;
        nodes.push_back(at);
        if (links_at(at).size() != 2) {
          nodes.clear();  // a dead end: an open chain
          break;
        }
        edge = links_at(at)[0] == edge ? links_at(at)[1] : links_at(at)[0];
      }
      if (nodes.empty()) continue;
      if (!chain.empty()) return {};  // without a body of one of them the other remains closed
      chain = std::move(nodes);
    }
    if (chain.empty()) return {};
    std::vector<int> middle{chain[(chain.size() - 1) / 2], chain[chain.size() / 2]};
    std::ranges::sort(middle);
    middle.erase(std::unique(middle.begin(), middle.end()), middle.end());
    return middle;
  }
  void find_reference() {
    if (out_.loops.empty()) return;
    int found = -1;
    std::tuple<int, int, double> best{};
    for (const int node : reference_candidates()) {
      const Removal removal = without(node);
      if (!removal.leaves_chains || removal.tree_bodies < 2) continue;
      const auto named = std::size_t(index(name_of_[std::size_t(node)]));
      const std::tuple<int, int, double> claim{removal.tree_bodies,
                                               removal.shortest - removal.longest,
                                               model_.numbers().own_inertia[named].mass};
      if (found >= 0 && claim <= best) continue;
      found = node;
      best = claim;
    }
    if (found < 0) return;
    out_.reference = name_of_[std::size_t(found)];
    for (const int k : links_at(found)) {
      Topology::Chain chain = walk(found, k, [&](int node) { return is_base(node); });
      if (is_base(node_of(chain.tip))) out_.tree_bodies.push_back(reversed(std::move(chain)));
    }
  }

  // Follows a path without branches, from `node` over edge `k`, until `is_end` or a dead end.
  template <class End> Topology::Chain walk(int node, int k, const End& is_end) {
    Topology::Chain chain{.base = name_of_[std::size_t(node)]};
    for (;;) {
      const Link& link = links_[std::size_t(k)];
      add_step(chain, link, link.from != node);
      node = other_end(link, node);
      const std::vector<int>& at = links_at(node);
      if (is_end(node) || at.size() != 2) break;
      k = at[0] == k ? at[1] : at[0];
    }
    chain.tip = name_of_[std::size_t(node)];
    return chain;
  }
  static void add_step(Topology::Chain& chain, const Link& link, bool is_backward) {
    chain.steps.push_back({link.kind, link.name, link.joint, is_backward});
  }
  static Topology::Chain reversed(Topology::Chain chain) {
    std::swap(chain.base, chain.tip);
    std::ranges::reverse(chain.steps);
    for (Topology::Chain::Step& step : chain.steps) step.is_backward = !step.is_backward;
    return chain;
  }

  // From each dead end inward, to a base or to the first body that lies in a loop.
  void find_open_arms() {
    std::vector<bool> is_in_loop(std::size_t(nodes_), false);
    for (std::size_t k = 0; k < links_.size(); ++k)
      if (!is_bridge_[k])
        is_in_loop[std::size_t(links_[k].from)] = is_in_loop[std::size_t(links_[k].to)] = true;
    for (int tip = 0; tip < nodes_; ++tip) {
      if (is_base(tip) || links_at(tip).size() != 1 || is_in_loop[std::size_t(tip)]) continue;
      Topology::Chain chain{.tip = name_of_[std::size_t(tip)]};
      int node = tip;
      while (!is_base(node) && !is_in_loop[std::size_t(node)]) {
        const Link& link = links_[std::size_t(up_[std::size_t(node)])];
        add_step(chain, link, link.from == node);
        node = other_end(link, node);
      }
      chain.base = name_of_[std::size_t(node)];
      std::ranges::reverse(chain.steps);
      out_.open_arms.push_back(std::move(chain));
    }
  }

  const Model& model_;
  Topology out_;
  int nodes_ = 1;
  std::vector<int> node_of_body_;
  std::vector<BodyId> name_of_;  // of a node: one of its bodies
  std::vector<Link> links_, free_;
  std::vector<std::vector<int>> at_;  // edges at each node
  std::vector<bool> is_base_, is_bridge_;
  std::vector<int> up_, depth_;  // in this tree: the edge toward the base
};

}  // namespace

std::string to_string(Topology::Kind kind) {
  switch (kind) {
    case Topology::Kind::serial: return "serial";
    case Topology::Kind::tree: return "tree";
    case Topology::Kind::closed: return "closed";
    case Topology::Kind::complex: return "complex";
    case Topology::Kind::nothing_moves: break;
  }
  return "nothing moves";
}
std::string to_string(Topology::Form form) {
  switch (form) {
    case Topology::Form::serial_open: return "serial open chain";
    case Topology::Form::serial_closed: return "serial closed chain";
    case Topology::Form::branched: return "branched open chains";
    case Topology::Form::simple_closed: return "simple closed chain";
    case Topology::Form::multiple_closed: return "multiple closed chain";
    case Topology::Form::internal_loops: return "mechanism with internal loops";
    case Topology::Form::nothing_moves: break;
  }
  return "nothing moves";
}

Topology topology(const Model& model) { return TopologyFinder(model).find(); }

}  // namespace trammel

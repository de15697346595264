package io.heddle.api.node;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.ClusterNode;
import io.heddle.core.lifecycle.ClusterRole;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.lifecycle.NodeStatus;
import io.heddle.core.node.operation.CertificateStatus;
import io.heddle.core.node.operation.RebalancePlan;
import io.heddle.core.node.operation.Steadiness;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Returns the status of this node and of the cluster; drains this node; rebalances the connections of the cluster. */
@RestController
public final class NodeController {
    private static final ListRules RULES = ListRules.of(List.of("nodeId", "-nodeId"), "role", "checksums");
    // A node that has started again may be a member twice until its earlier run is declared dead.
    private static final Comparator<ClusterNode> BY_NODE_ID =
            Comparator.comparing(ClusterNode::nodeId).thenComparing(ClusterNode::incarnation);

    private final Node node;
    private final Audit audit;

    public NodeController(Node node, Audit audit) {
        this.node = node;
        this.audit = audit;
    }

    @GetMapping("/api/v1/node")
    NodeResponse node() {
        return NodeResponse.of(node.status());
    }

    /** Begins to drain and stop this node. Only a user with the role ADMIN may, as for all requests that change something. */
    @PostMapping("/api/v1/node/drain")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void drain(HttpServletRequest request) {
        audit.change(request, AuditAction.DRAIN, target(), null, () -> {
            node.drain();
            return Audited.nothing();
        });
    }

    /** Begins to drain and stop a member of the cluster, whichever node answers. 404 if there is no serving member with this id. */
    @PostMapping("/api/v1/nodes/drain")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void drain(@RequestParam String nodeId, HttpServletRequest request) {
        audit.change(request, AuditAction.DRAIN, "nodes?nodeId=" + nodeId, null, () -> {
            if (!isDrained(nodeId)) {
                throw RequestProblem.notFound("No serving member of the cluster has this node id.");
            }
            return Audited.nothing();
        });
    }

    private boolean isDrained(String nodeId) {
        try {
            return node.drain(nodeId);
        } catch (StoreUnavailableException _) {
            // No store is asked, only this member.
            throw RequestProblem.unknownOutcome(
                    nodeId + " has not answered; it may or may not drain. Check that its process runs, or stop it with"
                            + " SIGTERM.");
        }
    }

    /**
     * Uses the certificates that are in the files now for new connections, and returns them; 409 with a sentence for the operator if a file
     * cannot be used. Only a user with the role ADMIN may.
     */
    @PostMapping("/api/v1/node/certificates/reload")
    CertificatesResponse reloadCertificates(HttpServletRequest request) {
        return audit.change(
                request,
                AuditAction.RELOAD_CERTIFICATES,
                target(),
                null,
                () -> Audited.of(CertificatesResponse.of(node.reloadCertificates())));
    }

    /** Returns whether the cluster is steady, as this node sees it. */
    @GetMapping("/api/v1/cluster")
    ClusterResponse cluster() {
        return ClusterResponse.of(node.steadiness());
    }

    /** Lets the nodes that have more than their share of the connections close some. Only a user with the role ADMIN may. */
    @PostMapping("/api/v1/cluster/rebalance")
    @ResponseStatus(HttpStatus.ACCEPTED)
    RebalanceResponse rebalance(HttpServletRequest request) {
        return audit.change(
                request,
                AuditAction.REBALANCE,
                "cluster",
                null,
                () -> Audited.of(RebalanceResponse.of(node.rebalance())));
    }

    /**
     * Lists the members of the cluster by node id. With {@code checksums=true}, the answering node computes those of its state, which takes up
     * to a second for a million sessions.
     */
    @GetMapping("/api/v1/nodes")
    Page<ClusterNodeResponse> nodes(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        ClusterRole.Role role = list.choice("role", ClusterRole.Role.class);
        ChecksumsResponse ofSelf =
                Boolean.TRUE.equals(list.flag("checksums")) ? ChecksumsResponse.of(node.checksums()) : null;
        Comparator<ClusterNode> order = list.sort().isDescending() ? BY_NODE_ID.reversed() : BY_NODE_ID;
        List<ClusterNode> found = node.cluster().stream()
                .filter(each -> role == null || each.role() == role)
                .filter(each -> isAfter(list, each))
                .sorted(order)
                .limit(list.limit() + 1L)
                .toList();
        return Page.of(
                found,
                list.limit(),
                each -> ClusterNodeResponse.of(each, each.isSelf() ? ofSelf : null),
                last -> list.next(last.nodeId(), last.incarnation()));
    }

    private static boolean isAfter(ListRequest list, ClusterNode node) {
        List<@Nullable String> key = list.after(2);
        if (key == null) {
            return true;
        }
        String nodeId = key.getFirst();
        String incarnation = key.getLast();
        if (nodeId == null || incarnation == null) {
            throw Cursor.bad();
        }
        int byId = node.nodeId().compareTo(nodeId);
        int order = byId == 0 ? node.incarnation().compareTo(incarnation) : byId;
        return list.sort().isDescending() ? order < 0 : order > 0;
    }

    private String target() {
        return "nodes/" + node.status().nodeId();
    }

    /**
     * JSON representation of the state of the cluster.
     *
     * @param steady whether all members serve, each bucket is held by its rightful owner, all links are up, and no node is behind
     * @param servingNodes the number of members that serve, or are about to
     * @param obstacles clauses that say why the cluster is not steady; empty if it is
     */
    record ClusterResponse(boolean steady, int servingNodes, List<String> obstacles) {
        static ClusterResponse of(Steadiness steadiness) {
            return new ClusterResponse(steadiness.isSteady(), steadiness.servingNodes(), steadiness.obstacles());
        }
    }

    /**
     * JSON representation of the certificates that a node uses.
     *
     * @param items one for each listener with TLS
     */
    record CertificatesResponse(List<CertificateStatus> items) {
        static CertificatesResponse of(Collection<CertificateStatus> certificates) {
            return new CertificatesResponse(List.copyOf(certificates));
        }
    }

    /**
     * JSON representation of a node.
     *
     * @param state one of NEW, STARTING, READY, STOPPING, STOPPED
     * @param role one of JOINING, TAKING_OVER, SERVING, LEAVING; a node that drains is LEAVING, though its broker is READY
     * @param startedAt ISO 8601, UTC
     * @param uptime whole seconds
     */
    record NodeResponse(
            String nodeId,
            String version,
            String state,
            String role,
            Instant startedAt,
            long uptime,
            List<String> listeners,
            long connectedClients,
            long subscriptions) {

        static NodeResponse of(NodeStatus status) {
            return new NodeResponse(
                    status.nodeId(),
                    status.version(),
                    status.state().name(),
                    status.role().name(),
                    status.startedAt(),
                    status.uptime().toSeconds(),
                    status.listeners(),
                    status.connectedClients(),
                    status.subscriptions());
        }
    }

    /**
     * JSON representation of a rebalance that begins.
     *
     * @param nodes the serving nodes
     * @param unknown ids of serving nodes that have not told how many connections they have; if there are any, nothing is done
     */
    record RebalanceResponse(List<Share> nodes, List<String> unknown) {
        /**
         * The share of a node.
         *
         * @param connections that the node has
         * @param surplus the number of connections that it closes
         */
        record Share(String nodeId, int connections, int surplus) {}

        static RebalanceResponse of(RebalancePlan plan) {
            return new RebalanceResponse(
                    plan.shares().stream()
                            .map(share -> new Share(share.nodeId(), share.connections(), share.surplus()))
                            .toList(),
                    plan.unknown());
        }
    }
}

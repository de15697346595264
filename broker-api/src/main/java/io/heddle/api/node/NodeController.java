package io.heddle.api.node;

import io.heddle.core.lifecycle.Node;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the status of this node and the members of the cluster. */
@RestController
public final class NodeController {
    private final Node node;

    public NodeController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/node")
    NodeResponse node() {
        return NodeResponse.of(node.status());
    }

    @GetMapping("/api/v1/nodes")
    List<ClusterNodeResponse> nodes() {
        return node.cluster().stream().map(ClusterNodeResponse::of).toList();
    }
}

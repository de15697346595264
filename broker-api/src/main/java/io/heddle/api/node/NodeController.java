package io.heddle.api.node;

import io.heddle.core.lifecycle.Node;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the status of this node. */
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
}

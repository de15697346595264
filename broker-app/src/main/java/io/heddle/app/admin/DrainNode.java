package io.heddle.app.admin;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "drain",
        description =
                "Drains and stops the node that is asked, or the one with the id --node: it is not ready any more,"
                        + " sends its clients to the other nodes at the rate heddle.drain.rate, and leaves the cluster."
                        + " Its process ends with status 0.")
final class DrainNode implements Runnable {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Option(names = "--node", paramLabel = "ID", description = "node to drain (default: the one that is asked)")
    private @Nullable String nodeId;

    @Override
    public void run() {
        try (NodeClient node = request.connect()) {
            var _ = node.post(
                    nodeId == null
                            ? ApiPath.of("node/drain")
                            : ApiPath.of("nodes/drain").with("nodeId", nodeId),
                    null);
            Console.print("The node " + (nodeId == null ? "at " + node.target() : ControlCharacters.escaped(nodeId))
                    + " is being drained and stops");
        }
    }
}

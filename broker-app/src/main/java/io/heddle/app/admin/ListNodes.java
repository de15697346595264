package io.heddle.app.admin;

import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the nodes of the cluster as one of them sees them. */
@Command(
        name = "nodes",
        description =
                "Prints the nodes of the cluster, as seen by the one that is asked: role, buckets that the node holds,"
                        + " link to the node, and records of the log of nodes that it has yet to read.",
        mixinStandardHelpOptions = true)
final class ListNodes implements Callable<Integer> {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Option(names = "--json", description = "print the answer of /api/v1/nodes")
    private boolean json;

    @Override
    public Integer call() {
        try {
            NodeRequest.Answer answer = request.send("GET", "/api/v1/nodes");
            Console.print(json ? answer.text() : NodeTable.of(answer.json()));
            return 0;
        } catch (StartupException | IllegalArgumentException e) {
            Console.printError("Cannot show the nodes: " + e.getMessage());
            return 1;
        }
    }
}

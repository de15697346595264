package io.heddle.app.admin;

import io.heddle.app.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Drains and stops a node, as SIGTERM does. */
@Command(
        name = "drain",
        description =
                "Drains and stops the node that is asked: it is not ready any more, sends its clients to the other nodes"
                        + " at the rate heddle.drain.rate, and leaves the cluster. Its process ends with status 0.",
        mixinStandardHelpOptions = true)
final class DrainNode implements Callable<Integer> {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Override
    public Integer call() {
        var _ = request.send("POST", "/api/v1/node/drain");
        Console.print("The node at " + request.target() + " is being drained and stops");
        return 0;
    }
}

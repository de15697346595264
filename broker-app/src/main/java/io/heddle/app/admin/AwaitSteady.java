package io.heddle.app.admin;

import io.heddle.app.admin.request.Answer;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Waits until the cluster is steady, so that the next node of a rolling restart may be stopped. */
@Command(
        name = "await-steady",
        description =
                "Waits until all members of the cluster serve, each bucket is held by its rightful owner, all links"
                        + " are up, and no node is behind. The exit status is 0 then, and 1 after --timeout.")
final class AwaitSteady implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofMillis(500);

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long to wait at most (default: ${DEFAULT-VALUE})",
            defaultValue = "300")
    private int timeoutSeconds;

    @Option(
            names = "--nodes",
            paramLabel = "NUMBER",
            description = "how many nodes must serve at least; a node that has been stopped is no member (default:"
                    + " ${DEFAULT-VALUE})",
            defaultValue = "1")
    private int nodes;

    @Override
    public Integer call() throws InterruptedException {
        try (NodeClient node = request.connect()) {
            return await(() -> node.get(ApiPath.of("cluster")));
        }
    }

    int await(Supplier<Answer> cluster) throws InterruptedException {
        long begin = System.nanoTime();
        long limit = TimeUnit.SECONDS.toNanos(timeoutSeconds);
        while (true) {
            List<String> obstacles = obstacles(cluster);
            if (obstacles.isEmpty()) {
                Console.print("The cluster is steady");
                return 0;
            }
            if (System.nanoTime() - begin >= limit) {
                Console.printError(
                        "The cluster is not steady after " + timeoutSeconds + " s: " + String.join("; ", obstacles));
                return 1;
            }
            var _ = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Returns why the cluster is not steady. A node that does not answer may be starting. */
    private List<String> obstacles(Supplier<Answer> cluster) {
        JsonNode condition;
        try {
            condition = cluster.get().json();
        } catch (StartupException e) {
            if (e.getCause() instanceof IOException) {
                return List.of(String.valueOf(e.getMessage()));
            }
            throw e;
        }
        List<String> obstacles = new ArrayList<>();
        condition.path("obstacles").forEach(each -> obstacles.add(ControlCharacters.escaped(each.asString(""))));
        int serving = condition.path("servingNodes").asInt(0);
        if (serving < nodes) {
            obstacles.add("of at least " + nodes + " nodes, " + serving + " serve");
        }
        return obstacles;
    }
}

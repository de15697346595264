package io.heddle.standalone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A JVM of its own that runs the servers until somebody kills it. */
final class BrokerStandIn {
    static final String READY = "ready";

    private BrokerStandIn() {}

    public static void main(String[] arguments) throws InterruptedException {
        Servers servers =
                Servers.builder(Path.of(arguments[0])).tuning(Tuning.TESTS).start();
        servers.awaitReady(Duration.ofMinutes(3));
        System.out.println(READY);
        new CountDownLatch(1).await();
        servers.close();
    }
}

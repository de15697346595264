package io.heddle.standalone;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The main class of a JVM that runs the servers until a test kills it. */
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

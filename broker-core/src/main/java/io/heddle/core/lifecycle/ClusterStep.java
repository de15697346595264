package io.heddle.core.lifecycle;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeOverException;
import java.time.Duration;

/** A step of the start that writes to the log of nodes in Kafka and waits for it. */
@FunctionalInterface
interface ClusterStep {
    void run() throws InterruptedException;

    /**
     * Runs a step.
     *
     * @param action of this node, in the infinitive, for the error message
     * @param timeout that the step keeps, for the error message
     * @throws StartupException if this node is over, Kafka does not answer or the start is interrupted
     */
    static void run(String action, Duration timeout, ClusterStep step) {
        try {
            step.run();
        } catch (NodeOverException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (StoreUnavailableException e) {
            throw new StartupException(
                    "Kafka did not let this node " + action + " within " + timeout.toSeconds() + " s (" + e.getMessage()
                            + "): check Kafka's log, or raise heddle.kafka.connect-timeout",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }
}

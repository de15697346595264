package io.heddle.app.e2e.faults;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One fault of a run.
 *
 * @param target number of the broker or server
 * @param prefersListening whether the target is one of the brokers that listen for clients
 * @param severity of the fault, from 0 to 1: how long it lasts
 * @param network an outage of the network of another broker, during which the fault happens; null for none
 */
record Fault(
        Kind kind,
        int target,
        boolean prefersListening,
        double severity,
        @Nullable Fault network) {
    enum Kind {
        KILL_BROKER("kill -9 of a broker"),
        STOP_BROKER("SIGTERM to a broker"),
        FREEZE_BEYOND_LEASE("a broker frozen for longer than the lease"),
        FREEZE_BELOW_LEASE("a broker frozen for less than the lease"),
        KILL_KAFKA("kill -9 of a Kafka node"),
        FREEZE_REDIS("a Redis master frozen"),
        KILL_REDIS("kill -9 of a Redis master"),
        CUT_LINKS("connections of the other brokers to one are reset"),
        SILENCE_LINKS("a broker does not hear the other brokers"),
        CUT_PAIR("two brokers cut off from each other"),
        CUT_ONE_WAY("a broker cut off from another one in one direction"),
        SILENCE_PAIR("two brokers do not hear each other"),
        CUT_FROM_KAFKA_NODE("a broker cut off from one Kafka node"),
        SILENCE_KAFKA("a broker does not hear Kafka for less than the lease"),
        CUT_FROM_KAFKA("a broker cut off from Kafka for longer than the lease"),
        CUT_FROM_REDIS("a broker cut off from Redis"),
        CUT_FROM_REDIS_MASTER("a broker cut off from one Redis master"),
        CUT_FROM_POSTGRES("a broker cut off from PostgreSQL");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    Duration between(Duration shortest, Duration longest) {
        return shortest.plusMillis((long) (severity * longest.minus(shortest).toMillis()));
    }

    @Override
    public String toString() {
        return network == null ? kind.toString() : kind + ", and " + network;
    }
}

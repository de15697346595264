package io.heddle.app.e2e.faults;

import io.heddle.standalone.testkit.Relay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A broken network of one broker, which heals by itself after a while. Begun by the test thread. */
final class NetworkOutage {
    private final List<Relay> relays;
    private final String text;
    private final CompletableFuture<Void> healed;

    private NetworkOutage(List<Relay> relays, String text, Duration time) {
        this.relays = relays;
        this.text = text + " for " + time.toMillis() + " ms";
        Executor later = CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS);
        this.healed = CompletableFuture.runAsync(this::heal, later);
    }

    /** Returns whether the kind of fault is such an outage. */
    static boolean is(Fault.Kind kind) {
        return switch (kind) {
            case CUT_LINKS,
                    SILENCE_LINKS,
                    CUT_PAIR,
                    CUT_ONE_WAY,
                    SILENCE_PAIR,
                    CUT_FROM_KAFKA_NODE,
                    SILENCE_KAFKA,
                    CUT_FROM_REDIS,
                    CUT_FROM_REDIS_MASTER,
                    CUT_FROM_POSTGRES -> true;
            case KILL_BROKER,
                    STOP_BROKER,
                    FREEZE_BEYOND_LEASE,
                    FREEZE_BELOW_LEASE,
                    KILL_KAFKA,
                    FREEZE_REDIS,
                    KILL_REDIS,
                    CUT_FROM_KAFKA -> false;
        };
    }

    /**
     * Begins an outage.
     *
     * @param broker whose network breaks
     * @param other another broker, for outages between two
     * @param lease the outages between brokers are shorter than the patience that follows from it: then nothing may be lost
     */
    static NetworkOutage begin(Fault fault, BrokerNode broker, BrokerNode other, Duration lease) {
        Duration shortly = fault.between(lease.dividedBy(10), lease.dividedBy(2));
        Duration seconds = fault.between(Duration.ofSeconds(1), Duration.ofSeconds(4));
        Relay toBroker = broker.links().from(other.id());
        Relay toOther = other.links().from(broker.id());
        String both = broker.id() + " and " + other.id();
        return switch (fault.kind()) {
            case CUT_LINKS -> cut(List.copyOf(broker.links().all()), broker.id(), shortly);
            case SILENCE_LINKS -> silence(List.copyOf(broker.links().all()), broker.id(), shortly);
            case CUT_PAIR -> cut(List.of(toBroker, toOther), both, shortly);
            case CUT_ONE_WAY -> cut(List.of(toBroker), other.id() + " from " + broker.id(), shortly);
            case SILENCE_PAIR -> silence(List.of(toBroker, toOther), both, shortly);
            case CUT_FROM_KAFKA_NODE -> {
                int node = fault.target();
                yield cut(List.of(broker.kafka().relays().get(node)), broker.id() + " from node " + node, seconds);
            }
            case SILENCE_KAFKA -> {
                List<Relay> relays = broker.kafka().relays();
                relays.forEach(Relay::silenceServers);
                yield new NetworkOutage(relays, broker.id(), shortly);
            }
            case CUT_FROM_REDIS -> cut(broker.redis().relays(), broker.id(), seconds);
            case CUT_FROM_REDIS_MASTER -> {
                int node = fault.target();
                yield cut(List.of(broker.redis().relays().get(node)), broker.id() + " from master " + node, seconds);
            }
            case CUT_FROM_POSTGRES -> cut(List.of(broker.postgres()), broker.id(), seconds);
            case KILL_BROKER,
                    STOP_BROKER,
                    FREEZE_BEYOND_LEASE,
                    FREEZE_BELOW_LEASE,
                    KILL_KAFKA,
                    FREEZE_REDIS,
                    KILL_REDIS,
                    CUT_FROM_KAFKA -> throw new IllegalArgumentException(fault.toString());
        };
    }

    private static NetworkOutage cut(List<Relay> relays, String text, Duration time) {
        relays.forEach(Relay::cut);
        return new NetworkOutage(new ArrayList<>(relays), text, time);
    }

    private static NetworkOutage silence(List<Relay> relays, String text, Duration time) {
        relays.forEach(Relay::silence);
        return new NetworkOutage(new ArrayList<>(relays), text, time);
    }

    private void heal() {
        relays.forEach(Relay::restore);
    }

    /** Returns a description when the outage is over. */
    String awaitHealed() {
        healed.join();
        return text;
    }
}

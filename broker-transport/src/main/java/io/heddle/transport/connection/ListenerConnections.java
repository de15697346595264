package io.heddle.transport.connection;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.admission.Places;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A listener as its connections see it: its name, its rules, and the number of its open connections. Thread-safe. Bound: the
 * maximum number of connections, and the share of an address before CONNECT ({@link Places}).
 */
public final class ListenerConnections {
    private final String name;
    private final ListenerKind kind;
    private final Limit maximum;
    private final Places places;
    private final Set<MqttVersion> versions;
    private final AtomicInteger count = new AtomicInteger();
    private final Counter opened;
    private final Map<ConnectionRefusal, Counter> refused = new EnumMap<>(ConnectionRefusal.class);

    /**
     * Creates a listener without connections.
     *
     * @param maximum the maximum number of connections, at least 1, and its setting
     * @param versions the allowed versions of MQTT, at least one
     */
    public ListenerConnections(
            String name, ListenerKind kind, Limit maximum, Set<MqttVersion> versions, MeterRegistry registry) {
        this.name = name;
        this.kind = kind;
        this.maximum = maximum;
        this.places = new Places(Math.toIntExact(maximum.value()));
        this.versions = Set.copyOf(versions);
        Tags tags = Tags.of("kind", kind.tag(), "listener", name);
        Gauge.builder("heddle.listener.connections", count, AtomicInteger::get)
                .tags(tags)
                .register(registry);
        this.opened = registry.counter("heddle.listener.opened", tags);
        for (ConnectionRefusal reason : ConnectionRefusal.values()) {
            refused.put(reason, registry.counter("heddle.listener.refused", tags.and("reason", reason.tag())));
        }
    }

    Places places() {
        return places;
    }

    Limit maximum() {
        return maximum;
    }

    void admitted() {
        count.incrementAndGet();
        opened.increment();
    }

    /** Counts the end of an admitted connection. */
    void left() {
        count.decrementAndGet();
    }

    public void refuse(ConnectionRefusal reason) {
        Counter counter = refused.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    public String name() {
        return name;
    }

    public ListenerKind kind() {
        return kind;
    }

    boolean allows(MqttVersion version) {
        return versions.contains(version);
    }
}

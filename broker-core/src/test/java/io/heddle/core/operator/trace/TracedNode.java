package io.heddle.core.operator.trace;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A node that can be traced, with clients whose packets a test sends and receives. */
final class TracedNode {
    static final Duration MINUTE = Duration.ofMinutes(1);

    final Incarnation incarnation;
    final NodeQuestions questions;
    final Tracer tracer;
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final ClientIncidents incidents;

    /** @param nanos the time, which passes while the tracer waits */
    TracedNode(Incarnation incarnation, NodeQuestions questions, AtomicLong nanos) {
        this.incarnation = incarnation;
        this.questions = questions;
        this.incidents = new ClientIncidents(nanos::get, metrics);
        this.tracer = new Tracer(
                questions,
                new SteadyClock(() -> Instant.ofEpochMilli(1_000), nanos::get),
                nanos::get,
                time -> nanos.addAndGet(time.toNanos()));
    }

    /** A node of the build that knows traces. */
    TracedNode withTraces() {
        tracer.answer(incidents.events(), metrics);
        return this;
    }

    RecordingConnection connection(String clientId, @Nullable String userName, String address) {
        RecordingConnection connection = new RecordingConnection(new ManualEventLoop(0));
        connection.address(new InetSocketAddress(InetAddress.ofLiteral(address), 4711));
        connection.names().set(clientId, userName);
        return connection;
    }

    void receive(RecordingConnection from, MqttPacket... packets) {
        for (MqttPacket each : packets) {
            incidents.events().received(each, from);
        }
    }

    void send(RecordingConnection to, MqttPacket... packets) {
        for (MqttPacket each : packets) {
            incidents.events().sent(each, to);
        }
    }

    boolean remembers(String clientId) {
        return incidents.pastMessages().find(new ClientId(clientId)) != null;
    }

    double counted(String result) {
        return metrics.counter("heddle.trace.events", "result", result).count();
    }

    double active() {
        return Objects.requireNonNull(metrics.find("heddle.traces.active").gauge())
                .value();
    }
}

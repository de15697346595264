package io.heddle.core.operator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.Limit;
import io.heddle.core.client.AddressRange;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.testkit.RecordingConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked for traces. */
final class ClusterTraceTest extends TwoNodesFixture {
    private final AtomicLong nanos = new AtomicLong(1);
    private final List<NodeQuestions> all = new ArrayList<>();
    private final TracedNode here = node(a).withTraces();
    private final TracedNode there = node(b).withTraces();
    private final RecordingConnection pump = there.connection("pump", "ada", "10.0.0.7");

    private TracedNode node(Incarnation joined) {
        NodeQuestions questions = questions(joined);
        TracedNode created = new TracedNode(joined, questions, nanos);
        all.add(questions);
        all.forEach(each -> each.onView(log.view()));
        return created;
    }

    private ClusterTrace begin(TraceFilter filter) throws Exception {
        return begin(new TraceRequest("ada", filter, false, TracedNode.MINUTE, 100_000));
    }

    private ClusterTrace begin(TraceRequest request) throws Exception {
        return ask(() -> here.tracer.begin(request));
    }

    private List<TraceEvent> next(ClusterTrace trace) throws Exception {
        return ask(trace::next);
    }

    /** Skips the events that say which nodes trace. */
    private ClusterTrace begun(TraceFilter filter) throws Exception {
        return begun(filter, "ada");
    }

    private ClusterTrace begun(TraceFilter filter, String administrator) throws Exception {
        ClusterTrace trace = begin(new TraceRequest(administrator, filter, false, TracedNode.MINUTE, 100_000));
        assertThat(texts(next(trace)))
                .containsExactly("a node began it traces from now on", "b node began it traces from now on");
        return trace;
    }

    private void close(ClusterTrace trace) throws Exception {
        trace.close();
        while (here.active() + there.active() > 0) {
            links.deliver();
            Thread.onSpinWait();
        }
    }

    private static TraceFilter client(String clientId) {
        return new TraceFilter(clientId, null, null, null);
    }

    private static TraceFilter topics(String filter) {
        return new TraceFilter(null, null, null, TopicFilter.parse(filter, 8));
    }

    /** The values that matter, in order. */
    private static List<String> texts(List<TraceEvent> events) {
        return events.stream()
                .map(each -> {
                    StringBuilder text = new StringBuilder();
                    for (String name : List.of(
                            "node",
                            "event",
                            "direction",
                            "packet",
                            "clientId",
                            "packetId",
                            "topic",
                            "refused",
                            "state",
                            "suppressed",
                            "lost",
                            "reason",
                            "detail",
                            "events")) {
                        Object value = each.values().get(name);
                        text.append(value == null ? "" : value + " ");
                    }
                    return text.toString().strip();
                })
                .toList();
    }

    private static PublishPacket publish(String topic, String payload, QoS qos, int packetId) {
        return new PublishPacket(
                TopicName.parse(topic, 8),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                true,
                false,
                packetId,
                new PublishProperties(
                        30, true, "text/plain", null, null, List.of(new UserProperty("colour", "secret blue"))),
                List.of(),
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    private static PublishPacket publish(String topic) {
        return publish(topic, "x", QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID);
    }

    private static ConnectPacket connect(String clientId) {
        return new ConnectPacket(
                MqttVersion.V5,
                clientId,
                true,
                30,
                null,
                "ada",
                BinaryData.wrap("hunter2".getBytes(StandardCharsets.UTF_8)),
                ConnectProperties.NONE);
    }

    private static SubscribePacket subscribe(String... filters) {
        List<SubscriptionRequest> requests = new ArrayList<>();
        for (String each : filters) {
            requests.add(new SubscriptionRequest(each, QoS.AT_LEAST_ONCE, false, false, RetainHandling.SEND));
        }
        return new SubscribePacket(9, SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER, List.of(), requests);
    }

    // Packets.

    @Test
    void aMessageOfQos2OfAClientOfAnotherNodeIsSeenInBothDirections() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        there.receive(pump, publish("t", "x", QoS.EXACTLY_ONCE, 7));
        there.send(pump, new PubRecPacket(7, ReasonCode.SUCCESS, null, List.of()));
        there.receive(pump, new PubRelPacket(7, ReasonCode.SUCCESS, null, List.of()));
        there.send(pump, new PubCompPacket(7, ReasonCode.SUCCESS, null, List.of()));
        there.receive(there.connection("valve", null, "10.0.0.8"), publish("t"));

        List<TraceEvent> events = next(trace);

        assertThat(texts(events))
                .containsExactly(
                        "b packet in PUBLISH pump 7 t",
                        "b packet out PUBREC pump 7 success",
                        "b packet in PUBREL pump 7 success",
                        "b packet out PUBCOMP pump 7 success");
        assertThat(events.getFirst().values())
                .containsEntry("userName", "ada")
                .containsEntry("address", "10.0.0.7")
                .containsEntry("port", 4711L)
                .containsEntry("qos", 2L)
                .containsEntry("retain", true)
                .containsEntry("dup", false)
                .containsEntry("payloadBytes", 1L);
        assertThat(next(trace)).isEmpty();
        close(trace);
    }

    @Test
    void passwordsAreNeverShownAndPayloadsOnlyIfWanted() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        there.receive(pump, connect("pump"), publish("t", "secret", QoS.AT_MOST_ONCE, 0));
        assertThat(next(trace).toString())
                .contains("hasPassword=true", "keepAliveSeconds=30", "contentType=text/plain", "name=colour")
                .doesNotContain("hunter2", "secret");

        ClusterTrace whole = begin(new TraceRequest("ada", client("pump"), true, TracedNode.MINUTE, 1_000));
        there.receive(
                pump,
                connect("pump"),
                publish("t", "secret", QoS.AT_MOST_ONCE, 0),
                publish("t", "x".repeat(PacketValues.MAXIMUM_PAYLOAD_BYTES - 1) + "ä", QoS.AT_MOST_ONCE, 0));
        List<TraceEvent> events = next(whole);
        events.addAll(next(whole));
        assertThat(events.toString()).doesNotContain("hunter2").contains("secret blue");
        assertThat(events.get(3).values()).containsEntry("payload", "secret").doesNotContainKey("payloadCut");
        assertThat(events.get(4).values())
                .as("a character is not cut")
                .containsEntry("payload", "x".repeat(PacketValues.MAXIMUM_PAYLOAD_BYTES - 1))
                .containsEntry("payloadCut", true)
                .containsEntry("payloadBytes", PacketValues.MAXIMUM_PAYLOAD_BYTES + 1L);
        trace.close();
        close(whole);
    }

    @Test
    void aPayloadThatIsNoTextIsShownInBase64() throws Exception {
        ClusterTrace trace = begin(new TraceRequest("ada", client("pump"), true, TracedNode.MINUTE, 1_000));
        PublishPacket text = publish("t");
        there.receive(
                pump,
                new PublishPacket(
                        text.topic(),
                        0,
                        QoS.AT_MOST_ONCE,
                        false,
                        false,
                        0,
                        PublishProperties.NONE,
                        List.of(),
                        BinaryData.wrap(new byte[] {(byte) 0xff, 0})));

        List<TraceEvent> events = next(trace);
        events.addAll(next(trace));
        assertThat(events.getLast().values())
                .containsEntry("payloadBase64", "/wA=")
                .doesNotContainKey("payload");
        close(trace);
    }

    @Test
    void allCriteriaApply() throws Exception {
        assertThat(matching(new TraceFilter(null, "ada", null, null))).containsExactly("pump", "pump");
        assertThat(matching(new TraceFilter(null, null, AddressRange.parse("10.0.0.0/29"), null)))
                .containsExactly("pump", "pump");
        assertThat(matching(new TraceFilter(null, null, AddressRange.parse("10.0.0.8"), null)))
                .containsExactly("valve");
        assertThat(matching(new TraceFilter("pump", "bob", null, null))).isEmpty();
        assertThat(matching(new TraceFilter("pump", null, null, TopicFilter.parse("a/+", 8))))
                .containsExactly("pump");
        assertThat(matching(topics("a/#"))).containsExactly("pump", "valve");
    }

    private List<Object> matching(TraceFilter filter) throws Exception {
        ClusterTrace trace = begun(filter);
        there.receive(pump, publish("a/b"), PingReqPacket.INSTANCE);
        there.receive(there.connection("valve", null, "10.0.0.8"), publish("a/b"));
        List<Object> clients = new ArrayList<>();
        next(trace).forEach(each -> clients.add(each.values().getOrDefault("clientId", "")));
        close(trace);
        return clients;
    }

    @Test
    void aTopicFilterAppliesToSubscriptionsToSomeOfTheSameTopics() throws Exception {
        ClusterTrace trace = begun(topics("a/+/c"));
        there.receive(
                pump,
                subscribe("x", "a/#"),
                subscribe("+/b/+"),
                subscribe("$share/g/a/b/c"),
                subscribe("a/b", "a/b/d", "a/#/b", "b/#"),
                new UnsubscribePacket(4, List.of(), List.of("#")),
                publish("a/b/d"));

        assertThat(texts(next(trace)))
                .containsExactly(
                        "b packet in SUBSCRIBE pump 9",
                        "b packet in SUBSCRIBE pump 9",
                        "b packet in SUBSCRIBE pump 9",
                        "b packet in UNSUBSCRIBE pump 4");
        close(trace);
    }

    // Other events.

    @Test
    void refusalsMissedMessagesAndTheEndOfTheConnectionAreSeen() throws Exception {
        there.incidents.lookUp(
                id -> id.value().equals("pump") ? new ClientIncidents.Origin("ada", pump.remoteAddress()) : null);
        ClusterTrace trace = begun(new TraceFilter(null, "ada", null, null));
        there.incidents.connectRefused(ReasonCode.NOT_AUTHORIZED, "a wrong password", "pump", "ada", pump);
        there.send(pump, ConnAckPacket.refusal(ReasonCode.NOT_AUTHORIZED, null));
        there.incidents.subscriptionDenied("a/#", new ClientId("pump"));
        there.incidents.refused(new Limit("heddle.some.limit", 5), "a connection", "x", "bob", null);
        there.incidents.pastMessages().of(new ClientId("pump"), 1).add(1, "queue_full", "t", QoS.AT_LEAST_ONCE, 4);
        there.incidents.events().ended("pump", "ada", pump.remoteAddress(), DisconnectCause.CLOSED_BY_CLIENT);

        assertThat(texts(next(trace)))
                .containsExactly(
                        "b refused pump CONNECT not_authorized a wrong password",
                        "b packet out CONNACK pump not_authorized",
                        "b refused pump SUBSCRIBE not_authorized a/#",
                        "b dropped pump t queue_full",
                        "b disconnected pump closed_without_disconnect the client, or a network device, closed the"
                                + " connection without DISCONNECT");
        close(trace);
    }

    // Past messages.

    @Test
    void deliveriesToTracedClientsAreRememberedFromThenOn() throws Exception {
        ClusterTrace byClient = begun(client("pump"));
        ClusterTrace byTopic = begun(topics("a/#"));
        there.send(there.connection("reader", "bob", "10.0.0.8"), publish("a/1"));
        there.send(there.connection("other", "bob", "10.0.0.9"), publish("b"));

        // The client may connect to any node.
        assertThat(here.remembers("pump")).isTrue();
        assertThat(there.remembers("pump")).isTrue();
        assertThat(there.remembers("reader")).isTrue();
        assertThat(here.remembers("reader")).isFalse();
        assertThat(there.remembers("other")).isFalse();
        byClient.close();
        close(byTopic);
    }

    // Bounds.

    @Test
    void theTraceEndsWithItsMaximumOfEvents() throws Exception {
        ClusterTrace trace = begin(new TraceRequest("ada", client("pump"), false, TracedNode.MINUTE, 2));
        there.receive(pump, publish("1"), publish("2"), publish("3"));

        List<String> events = new ArrayList<>();
        while (!trace.isOver()) {
            events.addAll(texts(next(trace)));
        }

        assertThat(events.subList(2, events.size()))
                .containsExactly(
                        "b packet in PUBLISH pump 1",
                        "b packet in PUBLISH pump 2",
                        "end count the trace has its maximum of events 2");
        close(trace);
    }

    @Test
    void anAdministratorHasAFewTracesAndLeavesRoomForOthers() throws Exception {
        List<ClusterTrace> traces = new ArrayList<>();
        for (int i = 0; i < NodeTraces.MAXIMUM_OF_ADMINISTRATOR; i++) {
            traces.add(begin(client("pump")));
        }

        assertThatThrownBy(() -> begin(client("pump")))
                .isInstanceOf(TooManyTracesException.class)
                .hasMessage(
                        "You have 3 traces, as many as an administrator may have: end one of them, or wait until one has"
                                + " ended.");
        traces.add(begin(new TraceRequest("bob", client("pump"), true, TracedNode.MINUTE, 10)));
        assertThat(there.tracer.running())
                .extracting(RunningTrace::administrator)
                .containsExactlyInAnyOrder("ada", "ada", "ada", "bob");
        traces.forEach(ClusterTrace::close);
        close(traces.getFirst());
    }

    @Test
    void anotherAdministratorEndsATraceAtAnyNode() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        RunningTrace running = there.tracer.running().getFirst();
        assertThat(running.filter().clientId()).isEqualTo("pump");
        assertThat(running.hasPayloads()).isFalse();

        there.tracer.end(running.id(), "root");
        assertThat(there.tracer.running()).isEmpty();
        there.receive(pump, publish("t"));

        assertThat(texts(next(trace))).containsExactly("end ended the administrator root has ended the trace 0");
        assertThat(trace.isOver()).isTrue();
        close(trace);
    }

    @Test
    void aTraceThatWasEndedDoesNotBeginAgainWhenItsReaderWasSlow() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        there.tracer.end(there.tracer.running().getFirst().id(), "root");
        nanos.addAndGet(NodeTrace.ABANDONED_AFTER.toNanos() + 1);

        assertThat(texts(next(trace))).endsWith("end ended the administrator root has ended the trace 0");
        assertThat(there.tracer.running()).isEmpty();
        close(trace);
    }

    @Test
    void theTraceEndsWithItsTime() throws Exception {
        long begin = nanos.get();
        ClusterTrace trace = begin(new TraceRequest("ada", client("pump"), false, Duration.ofMillis(600), 1_000));
        there.receive(pump, publish("1"));

        List<String> events = new ArrayList<>();
        while (!trace.isOver()) {
            events.addAll(texts(next(trace)));
        }

        assertThat(events).endsWith("b packet in PUBLISH pump 1", "end time the time of the trace is over 1");
        assertThat(nanos.get() - begin).isEqualTo(Duration.ofMillis(600).toNanos());
        close(trace);
    }

    @Test
    void eventsAboveTheRateAreSuppressedAndCounted() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        MqttPacket packet = publish("t");
        for (int i = 0; i < NodeTrace.EVENTS_PER_SECOND + 25; i++) {
            there.receive(pump, packet);
        }

        List<String> events = texts(next(trace));

        assertThat(events).hasSize(NodeTrace.EVENTS_PER_SECOND + 1).startsWith("b suppressed 25");
        assertThat(there.counted("kept")).isEqualTo(NodeTrace.EVENTS_PER_SECOND);
        assertThat(there.counted("suppressed")).isEqualTo(25);
        assertThat(texts(next(trace))).as("told once").isEmpty();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        there.receive(pump, packet);
        assertThat(texts(next(trace))).containsExactly("b packet in PUBLISH pump t");
        close(trace);
    }

    @Test
    void aReaderThatIsSlowLosesEventsWhichAreCounted() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        MqttPacket packet = publish("t");
        int seconds = NodeTrace.EVENTS / NodeTrace.EVENTS_PER_SECOND + 1;
        for (int second = 0; second < seconds; second++) {
            for (int i = 0; i < NodeTrace.EVENTS_PER_SECOND; i++) {
                there.receive(pump, packet);
            }
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        List<String> events = texts(next(trace));
        while (events.size() <= there.counted("kept") && !trace.isOver()) {
            events = new ArrayList<>(events);
            events.addAll(texts(next(trace)));
        }

        long lost = (long) there.counted("lost");
        assertThat(lost).isGreaterThanOrEqualTo(NodeTrace.EVENTS_PER_SECOND);
        assertThat(events).startsWith("b lost " + lost).hasSize((int) there.counted("kept") + 1);
        close(trace);
    }

    @Test
    void eventsOfOneAnswerThatDoNotFitAreInTheNext() throws Exception {
        ClusterTrace trace = begin(new TraceRequest("ada", client("pump"), true, TracedNode.MINUTE, 10_000));
        var _ = next(trace);
        for (int i = 0; i < 300; i++) {
            there.receive(pump, publish("t/" + i, "x".repeat(4_000), QoS.AT_MOST_ONCE, 0));
        }

        List<String> events = new ArrayList<>();
        while (events.size() < 300 && !trace.isOver()) {
            events.addAll(texts(next(trace)));
        }

        assertThat(events).hasSize(300).doesNotHaveDuplicates().endsWith("b packet in PUBLISH pump t/299");
        close(trace);
    }

    @Test
    void aTraceThatIsNotAskedForIsDroppedAndBeginsAgain() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        nanos.addAndGet(NodeTrace.ABANDONED_AFTER.toNanos() + 1);
        there.receive(pump, publish("lost"));
        assertThat(there.counted("kept")).isZero();
        assertThat(there.active()).isZero();

        assertThat(texts(next(trace)))
                .containsExactly(
                        "a node began_again it had dropped the trace, because it was not asked for a while, so events are"
                                + " missing",
                        "b node began_again it had dropped the trace, because it was not asked for a while, so events are"
                                + " missing");
        there.receive(pump, publish("t"));
        assertThat(texts(next(trace))).containsExactly("b packet in PUBLISH pump t");
        close(trace);
    }

    @Test
    void aNodeHasAMaximumOfTraces() throws Exception {
        List<ClusterTrace> traces = new ArrayList<>();
        for (int i = 0; i < NodeTraces.MAXIMUM; i++) {
            traces.add(begun(client("pump"), "administrator " + i));
        }
        assertThat(there.active()).isEqualTo(NodeTraces.MAXIMUM);

        assertThatThrownBy(() -> begin(client("pump")))
                .isInstanceOf(TooManyTracesException.class)
                .hasMessage(
                        "The node a has its maximum of 8 traces: wait until one has ended, or let an administrator with the"
                                + " role ADMIN end one.");

        there.receive(pump, publish("t"));
        for (ClusterTrace each : traces) {
            assertThat(texts(next(each))).containsExactly("b packet in PUBLISH pump t");
            each.close();
        }
        close(traces.getFirst());
        close(begun(client("pump")));
    }

    @Test
    void withoutATraceNothingIsKept() throws Exception {
        there.receive(pump, publish("before"));
        ClusterTrace trace = begun(client("pump"));
        assertThat(there.active()).isOne();
        close(trace);
        there.receive(pump, publish("after"));

        assertThat(there.active()).isZero();
        assertThat(there.counted("kept")).isZero();
    }

    // Nodes.

    @Test
    void aNodeThatJoinsIsTracedToo() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        TracedNode joined = node(log.serve("c")).withTraces();
        links.connect(a, joined.incarnation);
        assertThat(texts(next(trace))).containsExactly("c node began it traces from now on");
        joined.receive(pump, publish("t"));

        assertThat(texts(next(trace))).containsExactly("c packet in PUBLISH pump t");
        close(trace);
    }

    @Test
    void aNodeThatLeavesIsNamedAndTheTraceGoesOn() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        log.kill(here.incarnation, there.incarnation);
        here.questions.onView(log.view());

        assertThat(texts(next(trace)))
                .containsExactly("b node left it has left the cluster; the trace goes on without it");
        here.receive(pump, publish("t"));
        assertThat(texts(next(trace))).containsExactly("a packet in PUBLISH pump t");
        trace.close();
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamedOnceAndAgainWhenItDoes() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        links.cut(here.incarnation, there.incarnation);
        assertThat(texts(next(trace)))
                .containsExactly("b node missing it does not answer; the trace goes on without it");
        assertThat(texts(next(trace))).isEmpty();
        there.receive(pump, publish("meanwhile"));
        links.heal(here.incarnation, there.incarnation);

        assertThat(texts(next(trace)))
                .containsExactly("b node answers it answers again", "b packet in PUBLISH pump meanwhile");
        close(trace);
    }

    @Test
    void theTraceEndsWhenThisNodeLeaves() throws Exception {
        ClusterTrace trace = begun(client("pump"));
        log.kill(there.incarnation, here.incarnation);
        here.questions.onView(log.view());

        assertThat(texts(next(trace))).endsWith("end node_stops the node that traces stops 0");
        assertThat(trace.isOver()).isTrue();
        trace.close();
    }
}

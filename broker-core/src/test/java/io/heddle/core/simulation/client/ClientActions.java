package io.heddle.core.simulation.client;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.client.SessionLog.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Chooses what a connected client does next: publish, subscribe, unsubscribe, leave, or nothing for a while. */
final class ClientActions {
    /** Above those of publishes. */
    private static final int FIRST_ID = 1_000;

    private static final int IDS = 50;
    private static final int TOPICS = 3;

    private final World world;
    private final SimClient client;
    private final OutgoingMessages outgoing;
    private final List<String> filters;
    private final Map<Integer, Span> subscribing = new HashMap<>();
    private final Map<Integer, String> unsubscribing = new HashMap<>();
    private int nextId;

    ClientActions(World world, SimClient client, OutgoingMessages outgoing, List<String> filters) {
        this.world = world;
        this.client = client;
        this.outgoing = outgoing;
        this.filters = filters;
    }

    boolean isIdle() {
        return subscribing.isEmpty() && unsubscribing.isEmpty();
    }

    void onClosed() {
        subscribing.clear();
        unsubscribing.clear();
    }

    void act() {
        int choice = world.random().nextInt(200);
        if (choice < 2) {
            client.leave(world.random().nextBoolean());
        } else if (choice < 3 && client.isPersistent()) {
            client.wantCleanStart();
            client.leave(true);
        } else if (choice < 40) {
            changeSubscription();
        } else if (!outgoing.isFull()) {
            publish();
        }
    }

    void publishTo(String filter) {
        publishTo(filter, null);
    }

    private void publishTo(String filter, @Nullable Span behind) {
        if (outgoing.hasRoom()) {
            String topic = filter.replace("+", Integer.toString(world.random().nextInt(TOPICS)));
            outgoing.publish(topic, QoS.ofLevel(world.random().nextInt(1, 3)), false, behind);
        }
    }

    private void publish() {
        QoS qos = QoS.ofLevel(world.oneIn(10) ? 0 : world.random().nextInt(1, 3));
        int kind = world.random().nextInt(10);
        if (kind == 0 && qos != QoS.AT_MOST_ONCE) {
            // One publisher for each topic, so that the last message is known.
            outgoing.publish("r/" + client, qos, true);
        } else if (kind < 3) {
            outgoing.publish("s/" + world.random().nextInt(TOPICS), qos, false);
        } else {
            outgoing.publish("t/" + world.random().nextInt(TOPICS), qos, false);
        }
    }

    private void changeSubscription() {
        SessionLog session = client.session();
        if (session == null || filters.isEmpty() || !isIdle()) {
            return;
        }
        String filter = filters.get(world.random().nextInt(filters.size()));
        if (!session.isSubscribed(filter)) {
            Span span = subscribe(session, filter);
            if (filter.startsWith("t/") && world.oneIn(3)) {
                // Like a client that sends SUBSCRIBE and a request without waiting for SUBACK.
                publishTo(filter, span);
            }
        } else if (world.oneIn(6) && !filter.startsWith("$share") && !filter.startsWith("w/")) {
            unsubscribe(session, filter);
        }
    }

    void subscribeToAll(SessionLog session) {
        for (String filter : filters) {
            if (isIdle() && !session.isSubscribed(filter)) {
                var _ = subscribe(session, filter);
            }
        }
    }

    private Span subscribe(SessionLog session, String filter) {
        QoS qos = qos(filter);
        Span span = session.subscribe(filter, qos);
        int id = request(subscribing, span);
        world.trace(() -> client + " subscribes to " + filter + " at " + qos);
        client.send(new SubscribePacket(
                id,
                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                List.of(),
                List.of(new SubscriptionRequest(filter, qos, false, false, RetainHandling.SEND))));
        return span;
    }

    /**
     * The QoS follows from the client and the filter, because a repeated SUBSCRIBE would change it. All members of a group have the same: a
     * message that one of them should get at QoS 1 may come to others more than once.
     */
    private QoS qos(String filter) {
        if (filter.startsWith("w/")) {
            return QoS.EXACTLY_ONCE;
        }
        String owner = filter.startsWith("$share") ? "group" : client.toString();
        return QoS.ofLevel(1 + Math.floorMod(Objects.hash(owner, filter), 2));
    }

    private void unsubscribe(SessionLog session, String filter) {
        session.unsubscribe(filter);
        int id = request(unsubscribing, filter);
        world.trace(() -> client + " unsubscribes from " + filter);
        client.send(new UnsubscribePacket(id, List.of(), List.of(filter)));
    }

    private <T> int request(Map<Integer, T> requests, T created) {
        nextId = nextId % IDS + 1;
        int id = FIRST_ID + nextId;
        requests.put(id, created);
        return id;
    }

    void onSubAck(SubAckPacket answer) {
        Span span = subscribing.remove(answer.packetId());
        SessionLog session = client.session();
        if (span != null && session != null && !answer.reasons().getFirst().isError()) {
            world.trace(() -> client + " gets SUBACK");
            session.subscribed(span);
            client.onSubscribed(span.filter());
        }
    }

    void onUnsubAck(UnsubAckPacket answer) {
        unsubscribing.remove(answer.packetId());
    }
}

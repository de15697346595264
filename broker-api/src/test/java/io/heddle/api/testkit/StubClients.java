package io.heddle.api.testkit;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.client.ClientFilter;
import io.heddle.core.operator.client.ClientPage;
import io.heddle.core.operator.client.ClientQuery;
import io.heddle.core.operator.client.Clients;
import io.heddle.core.operator.client.EndedSessions;
import io.heddle.core.operator.client.FilterPage;
import io.heddle.core.operator.client.LastDisconnection;
import io.heddle.core.operator.client.NextMember;
import io.heddle.core.operator.client.SubscriberPage;
import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import io.heddle.core.operator.client.SubscriptionEntry;
import io.heddle.core.operator.client.SubscriptionPage;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.SessionDetails;
import io.heddle.core.subscription.DeliveryCapacity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connected client and one that is away; the node c may be missing. Thread-safe. */
public final class StubClients implements Clients {
    private static final long SINCE_MILLIS = 1_793_527_200_000L;

    private static final ClientEntry CONNECTED = new ClientEntry(
            "sensor/1",
            ClientType.DEVICE,
            "ada",
            0,
            SINCE_MILLIS,
            new ClientLink("b", "192.0.2.7:50123", "mqtt", MqttVersion.V3_1_1, 60, true));
    private static final ClientEntry AWAY =
            new ClientEntry("tablet", ClientType.APPLICATION, null, 3_600, SINCE_MILLIS, null);

    private static final LastDisconnection LOST =
            new LastDisconnection(CONNECTED, "connection_reset", "Connection reset by peer", SINCE_MILLIS + 1_000);

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private volatile Set<String> missing = Set.of();
    private volatile @Nullable ClientQuery query;
    private volatile @Nullable SubscriberQuery subscriberQuery;
    private volatile FilterPage.@Nullable Query filterQuery;

    /** The node c answers nothing from now on. */
    public void loseNode() {
        missing = Set.of("c");
    }

    /** Returns the changes that were asked for. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** Returns the latest query, or null. */
    public @Nullable ClientQuery query() {
        return query;
    }

    @Override
    public ClientPage list(ClientQuery asked) {
        query = asked;
        return new ClientPage(List.of(CONNECTED, AWAY), "tablet", missing);
    }

    /** Returns the latest query of subscribers, or null. */
    public @Nullable SubscriberQuery subscriberQuery() {
        return subscriberQuery;
    }

    @Override
    public NextMember nextMember(TopicFilter sharedFilter) {
        return new NextMember("a", CONNECTED.clientId(), null, "It goes to " + CONNECTED.clientId() + ".");
    }

    @Override
    public SubscriberPage subscribers(SubscriberQuery asked) {
        subscriberQuery = asked;
        SubscriptionEntry subscription = new SubscriptionEntry("a/+", QoS.EXACTLY_ONCE, false, true, 0);
        if (asked.of() instanceof Of.Filter(TopicFilter filter) && filter.isShared()) {
            SubscriptionEntry shared = new SubscriptionEntry(filter.value(), QoS.AT_LEAST_ONCE, false, true, 0);
            return new SubscriberPage(
                    List.of(
                            new Subscriber(CONNECTED.clientId(), shared, false),
                            new Subscriber("unknown", shared, true)),
                    new Position("unknown", filter.value()),
                    true,
                    missing);
        }
        return new SubscriberPage(
                List.of(new Subscriber(CONNECTED.clientId(), subscription, true)),
                new Position(CONNECTED.clientId(), "a/+"),
                missing.isEmpty(),
                missing);
    }

    /** Returns the latest query of filters, or null. */
    public FilterPage.@Nullable Query filterQuery() {
        return filterQuery;
    }

    @Override
    public FilterPage filters(FilterPage.Query asked) {
        filterQuery = asked;
        return new FilterPage(
                asked.prefix().startsWith("$share/")
                        ? List.of(new FilterPage.Entry("$share/g/a/+", 3, 2))
                        : List.of(new FilterPage.Entry("$share/g/a/+", 3, 2), new FilterPage.Entry("a/+", 1, 0)),
                "a/+",
                missing.isEmpty(),
                missing);
    }

    private boolean isConnected(ClientId clientId) {
        return clientId.value().equals(CONNECTED.clientId());
    }

    @Override
    public ClientDetails find(ClientId clientId) {
        return isConnected(clientId)
                ? new ClientDetails(
                        CONNECTED,
                        3,
                        new SessionDetails(3, 1, 4, 200, 2, "queue_full", SINCE_MILLIS, 10, DeliveryCapacity.QUEUEABLE),
                        new QueueDrop(QueueDrop.Reason.EXPIRED, SINCE_MILLIS),
                        LOST,
                        Set.of())
                : new ClientDetails(null, 0, null, null, clientId.value().equals("lost") ? LOST : null, missing);
    }

    @Override
    public Disconnected disconnect(ClientId clientId, ReasonCode reason) {
        calls.add("disconnect " + clientId + " " + reason);
        return new Disconnected(isConnected(clientId) ? "b" : null, missing);
    }

    @Override
    public Ended endSession(ClientId clientId) {
        calls.add("end " + clientId);
        return missing.isEmpty() ? new Ended.Done() : new Ended.Unknown("the stores did not answer in time");
    }

    @Override
    public EndedSessions endSessions(ClientFilter filter, boolean isDryRun) {
        calls.add((isDryRun ? "count " : "end ") + filter);
        return missing.isEmpty()
                ? new EndedSessions(2, true, List.of(), List.of())
                : new EndedSessions(1, false, List.of("tablet"), List.of("phone"));
    }

    @Override
    public ClientSubscriptions subscriptions(ClientId clientId, @Nullable String after, int limit) {
        return isConnected(clientId)
                ? new ClientSubscriptions(
                        new SubscriptionPage(
                                List.of(new SubscriptionEntry(after + "/#", QoS.AT_LEAST_ONCE, true, false, 7)),
                                after + "/#"),
                        missing)
                : new ClientSubscriptions(null, missing);
    }
}

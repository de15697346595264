package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.mqtt.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The questions about clients, and their answers. */
final class ClientFormat {
    static final RecordFormat<ClientQuery> QUERY = RecordFormat.of(ClientQuery.class);
    static final RecordFormat<Part> PART = RecordFormat.of(Part.class);
    static final RecordFormat<OfClient> CLIENT = RecordFormat.of(OfClient.class);
    static final RecordFormat<ClientDetails> DETAILS = RecordFormat.of(ClientDetails.class);
    static final RecordFormat<Disconnect> DISCONNECT = RecordFormat.of(Disconnect.class);
    static final RecordFormat<Disconnected> DISCONNECTED = RecordFormat.of(Disconnected.class);
    static final RecordFormat<OfSubscriptions> SUBSCRIPTIONS = RecordFormat.of(OfSubscriptions.class);
    static final RecordFormat<Subscriptions> PAGE = RecordFormat.of(Subscriptions.class);
    static final RecordFormat<SubscriberQuery> SUBSCRIBERS = RecordFormat.of(SubscriberQuery.class);
    static final RecordFormat<SubscriberSearch.Found> FOUND_SUBSCRIBERS = RecordFormat.of(SubscriberSearch.Found.class);
    static final RecordFormat<FilterPage.Query> FILTERS = RecordFormat.of(FilterPage.Query.class);
    static final RecordFormat<FilterSearch.Found> FOUND_FILTERS = RecordFormat.of(FilterSearch.Found.class);

    private ClientFormat() {}

    /** @param next the client id up to which the connected clients of a node are complete; null if none follows */
    record Part(List<ClientEntry> entries, @Nullable String next) {}

    record OfClient(ClientId clientId) {}

    record Disconnect(ClientId clientId, ReasonCode reason) {}

    /** @param found whether the client was connected to the node */
    record Disconnected(boolean found) {}

    record OfSubscriptions(ClientId clientId, @Nullable String after, int limit) {}

    /** @param page null if the client is not connected to the node */
    record Subscriptions(@Nullable SubscriptionPage page) {}
}

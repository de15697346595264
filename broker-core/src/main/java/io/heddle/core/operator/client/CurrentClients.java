package io.heddle.core.operator.client;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.SessionAdministration.Ended;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The clients as a node knows them that does not serve at all times. Thread-safe. */
public final class CurrentClients implements Clients {
    private final Supplier<@Nullable Clients> current;

    /** @param current returns null while the node does not serve */
    public CurrentClients(Supplier<@Nullable Clients> current) {
        this.current = current;
    }

    private Clients current() {
        Clients serving = current.get();
        if (serving == null) {
            throw new StoreUnavailableException("this node does not serve clients", null);
        }
        return serving;
    }

    @Override
    public ClientPage list(ClientQuery query) {
        return current().list(query);
    }

    @Override
    public ClientDetails find(ClientId clientId) {
        return current().find(clientId);
    }

    @Override
    public Disconnected disconnect(ClientId clientId, ReasonCode reason) {
        return current().disconnect(clientId, reason);
    }

    @Override
    public Ended endSession(ClientId clientId) {
        return current().endSession(clientId);
    }

    @Override
    public EndedSessions endSessions(ClientFilter filter, boolean isDryRun) {
        return current().endSessions(filter, isDryRun);
    }

    @Override
    public ClientSubscriptions subscriptions(ClientId clientId, @Nullable String after, int limit) {
        return current().subscriptions(clientId, after, limit);
    }

    @Override
    public SubscriberPage subscribers(SubscriberQuery query) {
        return current().subscribers(query);
    }

    @Override
    public FilterPage filters(FilterPage.Query query) {
        return current().filters(query);
    }
}

package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.TransientClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this node to which the holders of a bucket have granted sessions, until their departures are answered. Confined to the
 * event loop of the bucket. Bound: the connected clients.
 */
final class Grants {
    private final Map<ClientId, Grant> byClient = new HashMap<>();

    /**
     * A granted session.
     *
     * @param generation of the session, or {@link Departure#TRANSIENT}
     * @param epoch of the connection, or its number
     * @param userName by which the client was authenticated, or null
     * @param passedOn completes when the connection has received the grant
     */
    record Grant(long generation, long epoch, @Nullable String userName, CompletionStage<Void> passedOn) {}

    void add(ClientId clientId, Grant grant) {
        byClient.put(clientId, grant);
    }

    /** The departure of a connection was answered. */
    void remove(Departure departure) {
        Grant grant = byClient.get(departure.clientId());
        if (grant != null && grant.epoch() == departure.epoch()) {
            byClient.remove(departure.clientId());
        }
    }

    @Nullable
    Grant find(ClientId clientId) {
        return byClient.get(clientId);
    }

    /** Returns the epoch of the client's connection, or 0. */
    long epochOf(ClientId clientId) {
        Grant grant = byClient.get(clientId);
        return grant == null ? 0 : grant.epoch();
    }

    /** Returns the clients without persistent sessions in lists of this size and a shorter last one, which may be empty. */
    List<List<TransientClient>> transients(int size) {
        List<List<TransientClient>> lists = new ArrayList<>();
        List<TransientClient> last = new ArrayList<>();
        for (Map.Entry<ClientId, Grant> each : byClient.entrySet()) {
            Grant grant = each.getValue();
            if (grant.generation() == Departure.TRANSIENT) {
                last.add(new TransientClient(each.getKey(), grant.epoch(), grant.userName()));
            }
            if (last.size() == size) {
                lists.add(last);
                last = new ArrayList<>();
            }
        }
        lists.add(last);
        return lists;
    }
}

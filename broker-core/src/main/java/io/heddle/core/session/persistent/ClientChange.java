package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import org.jspecify.annotations.Nullable;

/** A change of the {@link ClientLog}, committed alone or together with the messages of a will. */
public sealed interface ClientChange extends LogAppend.ClientStateChange {
    /** A client's persistent session has this record; null ends the session. */
    record OfSession(ClientId clientId, @Nullable SessionRecord session) implements ClientChange {}

    /** A persistent session has this subscription; null removes it. */
    record OfRoute(RouteKey key, @Nullable Route route) implements ClientChange {}

    /**
     * No session of the bucket may begin with this epoch or a lower one. Written with the end of a session, because compaction removes the
     * session's own record.
     */
    record OfEpoch(long highest) implements ClientChange {}
}

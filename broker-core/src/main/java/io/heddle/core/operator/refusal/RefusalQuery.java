package io.heddle.core.operator.refusal;

import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A page of refusals, the latest first.
 *
 * @param kind null for any
 * @param clientId null for any
 * @param clientIdPrefix the beginning of the client ids; empty for any
 * @param before only those that were refused before, in microseconds; null for the first page
 * @param limit the maximum number, 1 to 65,535
 */
public record RefusalQuery(
        @Nullable Kind kind,
        @Nullable String clientId,
        String clientIdPrefix,
        @Nullable Instant before,
        int limit) {
    boolean matches(Refusal refusal) {
        return (kind == null || kind == refusal.kind())
                && (clientId == null || clientId.equals(refusal.clientId()))
                && refusal.clientId().startsWith(clientIdPrefix)
                && (before == null || refusal.last().isBefore(before));
    }
}

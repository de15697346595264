package io.heddle.api.refusals;

import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.operator.refusal.RefusalPage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of refusals of one kind to one client.
 *
 * @param kind a name of {@link io.heddle.core.client.RecentRefusals.Kind}
 * @param clientId null if it is unknown
 */
record RefusalResponse(
        String kind,
        String reason,
        String detail,
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable String address,
        String node,
        long count,
        Instant first,
        Instant last) {
    static RefusalResponse of(RefusalPage.Entry entry) {
        Refusal refusal = entry.refusal();
        return new RefusalResponse(
                refusal.kind().name(),
                refusal.reason(),
                refusal.detail(),
                refusal.clientId().isEmpty() ? null : refusal.clientId(),
                refusal.userName(),
                refusal.address().isEmpty() ? null : refusal.address(),
                entry.node(),
                refusal.count(),
                refusal.first(),
                refusal.last());
    }
}

package io.heddle.api.blocked;

import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.FutureTime;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Body of a request that blocks clients.
 *
 * @param kind CLIENT_ID, CLIENT_ID_PATTERN, USER_NAME or ADDRESS
 * @param until a time in UTC; null if the entry stays until it is lifted
 */
record BlockedClientBody(
        @Nullable String kind,
        @Nullable String value,
        @Nullable String reason,
        @Nullable String until) {
    /** @throws io.heddle.api.problem.RequestProblem that names all wrong fields */
    BlockedClient toEntry(String administrator, Instant now) {
        FieldProblems problems = new FieldProblems();
        Kind known = Arrays.stream(Kind.values())
                .filter(each -> each.name().equals(kind))
                .findAny()
                .orElse(null);
        problems.require(known != null, "kind", "Use CLIENT_ID, CLIENT_ID_PATTERN, USER_NAME or ADDRESS.");
        require(
                BlockedClient.fault(known == null ? Kind.CLIENT_ID : known, value == null ? "" : value),
                "value",
                problems);
        require(BlockedClient.fault(reason == null ? "" : reason), "reason", problems);
        Instant end = until == null ? null : FutureTime.parse(until, now);
        problems.require(
                until == null || end != null,
                "until",
                "Use a future time in UTC, within 100 years, such as 2026-11-01T10:00:00Z; or null.");
        problems.throwIfAny();
        return new BlockedClient(
                UUID.randomUUID(),
                Objects.requireNonNull(known),
                Objects.requireNonNull(value),
                Objects.requireNonNull(reason),
                end,
                administrator,
                now.truncatedTo(ChronoUnit.MILLIS));
    }

    private static void require(@Nullable String fault, String field, FieldProblems problems) {
        if (fault != null) {
            problems.add(field, fault);
        }
    }
}

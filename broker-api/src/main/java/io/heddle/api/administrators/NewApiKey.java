package io.heddle.api.administrators;

import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.FutureTime;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Body of a request that creates an API key.
 *
 * @param role ADMIN, OPERATOR or VIEWER
 * @param expiresAt a time in UTC, or none; null for {@value #DEFAULT_DAYS} days from now
 */
record NewApiKey(
        @Nullable String name,
        @Nullable String role,
        @Nullable String expiresAt) {
    private static final int DEFAULT_DAYS = 90;
    private static final String NONE = "none";

    /**
     * @param token has the name of this body
     * @throws io.heddle.api.problem.RequestProblem that names all wrong fields
     */
    ApiKey toKey(ApiKeyToken token, String administrator, Instant now) {
        FieldProblems problems = new FieldProblems();
        problems.require(ApiKey.isName(token.name()), "name", ApiKey.NAME_RULE);
        AdminRole known = AdministratorController.role(role, problems);
        Instant end = expiresAt == null
                ? now.plus(DEFAULT_DAYS, ChronoUnit.DAYS).truncatedTo(ChronoUnit.MILLIS)
                : FutureTime.parse(expiresAt, now);
        problems.require(
                end != null || NONE.equals(expiresAt),
                "expiresAt",
                "Use a future time in UTC, within 100 years, such as 2026-11-01T10:00:00Z; or none.");
        problems.throwIfAny();
        return new ApiKey(
                token.name(),
                token.secretHash(),
                Objects.requireNonNull(known),
                end,
                administrator,
                now.truncatedTo(ChronoUnit.MILLIS));
    }
}

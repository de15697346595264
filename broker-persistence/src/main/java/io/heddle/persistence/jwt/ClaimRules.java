package io.heddle.persistence.jwt;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.persistence.jwt.RequiredClaim.Placeholder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims that a token must have, and those that describe the client. Immutable.
 *
 * @param required by name, the value that the claim must have or contain; {@code ${clientId}} or {@code ${username}} may be in it
 * @param expiryRequired whether a token must have the claim exp
 * @param clockSkew for which a token is valid before nbf and after exp
 * @param userNameClaim the claim with the user name; null for the user name of CONNECT if a required claim proves it
 * @param clientTypeClaim the claim with the client type; null if all clients are DEVICE clients
 * @param groupsClaim the claim with the groups, or null
 * @param attributeClaims the claims that become attributes
 */
public record ClaimRules(
        Map<String, String> required,
        boolean expiryRequired,
        Duration clockSkew,
        @Nullable String userNameClaim,
        @Nullable String clientTypeClaim,
        @Nullable String groupsClaim,
        List<String> attributeClaims) {
    public ClaimRules {
        required = Map.copyOf(required);
        attributeClaims = List.copyOf(attributeClaims);
    }

    /**
     * Checks the value of a required claim.
     *
     * @throws IllegalArgumentException with a clause that says what is wrong and what to do
     */
    public static void check(String value) {
        var _ = RequiredClaim.parse("", value);
    }

    List<RequiredClaim> requiredClaims() {
        return required.entrySet().stream()
                .map(each -> RequiredClaim.parse(each.getKey(), each.getValue()))
                .toList();
    }

    Accepted client(Claims claims, List<RequiredClaim> requirements, ConnectCredentials credentials, Instant now)
            throws RefusedTokenException {
        Instant end = end(claims, now);
        boolean ownsClientId = false;
        String userName = null;
        for (RequiredClaim each : requirements) {
            if (!each.isIn(claims, credentials)) {
                throw new RefusedTokenException("the claim " + each.name() + " of the token has another value");
            }
            ownsClientId |= each.placeholder() == Placeholder.CLIENT_ID;
            userName = each.placeholder() == Placeholder.USER_NAME ? credentials.userName() : userName;
        }
        if (userNameClaim != null) {
            userName = claims.text(userNameClaim);
            if (userName == null) {
                throw new RefusedTokenException("the token has no claim " + userNameClaim + " with the user name");
            }
        }
        Map<String, String> attributes = new HashMap<>();
        for (String name : attributeClaims) {
            String value = claims.text(name);
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return new Accepted(
                new ClientIdentity(credentials.clientId(), type(claims), userName, ownsClientId, claims.key()),
                groupsClaim == null ? Set.of() : claims.texts(groupsClaim),
                attributes,
                end);
    }

    /** Returns the end of the validity; null if the token has none. */
    private @Nullable Instant end(Claims claims, Instant now) throws RefusedTokenException {
        Instant notBefore = claims.time("nbf");
        if (notBefore != null && now.plus(clockSkew).isBefore(notBefore)) {
            throw new RefusedTokenException("the token is not valid yet");
        }
        Instant expiry = claims.time("exp");
        if (expiry == null) {
            if (expiryRequired) {
                throw new RefusedTokenException("the token has no claim exp");
            }
            return null;
        }
        Instant end = expiry.plus(clockSkew);
        if (!now.isBefore(end)) {
            throw new RefusedTokenException("the token has expired");
        }
        return end;
    }

    private ClientType type(Claims claims) throws RefusedTokenException {
        String name = clientTypeClaim == null ? null : claims.text(clientTypeClaim);
        if (name == null) {
            return ClientType.DEVICE;
        }
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "DEVICE" -> ClientType.DEVICE;
            case "APPLICATION" -> ClientType.APPLICATION;
            default ->
                throw new RefusedTokenException(
                        "the claim " + clientTypeClaim + " of the token is neither DEVICE nor APPLICATION");
        };
    }
}

package io.heddle.app.authentication;

import static io.heddle.app.authentication.SettingChecks.require;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.Limit;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.jwt.ClaimRules;
import io.heddle.persistence.jwt.FileKeys;
import io.heddle.persistence.jwt.KeySet;
import io.heddle.persistence.jwt.KeySource;
import io.heddle.persistence.jwt.RemoteKeys;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authentication of clients whose password is a JSON Web Token, see security.md. One of key, hmac-key and jwks-url is set.
 *
 * @param key file with the public key (PEM) or the keys (JWK Set) that verify the tokens. It is read again when it changes
 * @param hmacKey file whose bytes are the secret of tokens with HMAC, at least 32. It is read again when it changes
 * @param jwksUrl address of the keys (JWK Set) that verify the tokens, https://...
 * @param allowHttp whether the address of the keys may begin with http://; otherwise only that of a server on the same machine may
 * @param fetchTimeout maximum time to fetch the keys
 * @param refreshInterval time from one fetch of the keys to the next
 * @param fetchPause minimum time until the keys are fetched again because the key of a token is unknown, a key is missing, or the fetch has failed
 * @param claims claims that a token must have, each with its value: the claim has this value or is an array that contains it. At most one of
 *     ${clientId} and ${username} may be in it, which stand for the client id and the user name in CONNECT
 * @param requireExpiry whether a token without the claim exp is refused
 * @param clockSkew how long a token is valid before its claim nbf and after its claim exp
 * @param userNameClaim claim with the user name; if empty, the user name in CONNECT counts if a required claim has ${username}, else there is none
 * @param clientTypeClaim claim with the client type, DEVICE or APPLICATION; without the claim, a client is a DEVICE client
 * @param groupsClaim claim with the groups for rules, an array or one text
 * @param attributeClaims claims that become attributes for rules
 * @param maximumPending maximum number of clients whose tokens are being verified; further ones are refused with "server busy"
 */
public record JwtSettings(
        @DefaultValue("") String key,
        @DefaultValue("") String hmacKey,
        @DefaultValue("") String jwksUrl,
        @DefaultValue("false") boolean allowHttp,
        @DefaultValue("5s") Duration fetchTimeout,
        @DefaultValue("10m") Duration refreshInterval,
        @DefaultValue("30s") Duration fetchPause,
        @DefaultValue Map<String, String> claims,
        @DefaultValue("true") boolean requireExpiry,
        @DefaultValue("5s") Duration clockSkew,
        @DefaultValue("") String userNameClaim,
        @DefaultValue("") String clientTypeClaim,
        @DefaultValue("") String groupsClaim,
        @DefaultValue List<String> attributeClaims,
        @DefaultValue("5000") int maximumPending) {
    private static final String PREFIX = "heddle.authentication.jwt.";
    private static final String KEY = PREFIX + "key";
    private static final String HMAC_KEY = PREFIX + "hmac-key";
    private static final String JWKS_URL = PREFIX + "jwks-url";
    private static final String MAXIMUM_PENDING = PREFIX + "maximum-pending";
    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z0-9_.-]+");

    public JwtSettings {
        Duration second = Duration.ofSeconds(1);
        SettingRule.between(PREFIX + "fetch-timeout", fetchTimeout, Duration.ofMillis(100), Duration.ofMinutes(1));
        SettingRule.between(PREFIX + "refresh-interval", refreshInterval, second, Duration.ofDays(1));
        SettingRule.between(PREFIX + "fetch-pause", fetchPause, second, Duration.ofHours(1));
        SettingRule.between(PREFIX + "clock-skew", clockSkew, Duration.ZERO, Duration.ofMinutes(10));
        SettingRule.between(MAXIMUM_PENDING, maximumPending, 1, 1_000_000);
        claims.forEach((name, value) -> require(PREFIX + "claims." + name, () -> {
            ClaimRules.check(value);
            return value;
        }));
        for (String name : attributeClaims) {
            if (!ATTRIBUTE.matcher(name).matches()) {
                throw new StartupException(
                        PREFIX + "attribute-claims has a name that rules cannot use: write names of letters, digits and"
                                + " _ . -",
                        null);
            }
        }
        claims = Map.copyOf(claims);
        attributeClaims = List.copyOf(attributeClaims);
    }

    /** Checks the source of the keys, which belongs to the method jwt. */
    public void check(boolean isUsed) {
        List<String> sources = Stream.of(
                        key.isEmpty() ? "" : KEY, hmacKey.isEmpty() ? "" : HMAC_KEY, jwksUrl.isEmpty() ? "" : JWKS_URL)
                .filter(each -> !each.isEmpty())
                .toList();
        if (!isUsed && !sources.isEmpty()) {
            throw new StartupException(
                    sources.getFirst() + " is set, but heddle.authentication.methods has no jwt: add it, or remove the"
                            + " setting",
                    null);
        }
        if (isUsed && sources.size() != 1) {
            throw new StartupException(
                    sources.isEmpty()
                            ? "heddle.authentication.methods has jwt, but there is no key: set " + KEY + ", " + HMAC_KEY
                                    + " or " + JWKS_URL
                            : String.join(" and ", sources) + " are set: leave one of them",
                    null);
        }
        if (isUsed && !jwksUrl.isEmpty()) {
            var _ = address();
        } else if (isUsed) {
            var _ = file();
        }
    }

    /** Returns the rules about the claims of tokens. */
    public ClaimRules toClaimRules() {
        return new ClaimRules(
                claims,
                requireExpiry,
                clockSkew,
                orNull(userNameClaim),
                orNull(clientTypeClaim),
                orNull(groupsClaim),
                attributeClaims);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    public KeySource toKeySource(MeterRegistry metrics) {
        return jwksUrl.isEmpty()
                ? new FileKeys(Path.of(key.isEmpty() ? hmacKey : key), this::file, metrics)
                : new RemoteKeys(address(), fetchTimeout, refreshInterval, fetchPause, System::nanoTime, metrics);
    }

    public Limit limit() {
        return new Limit(MAXIMUM_PENDING, maximumPending);
    }

    private KeySet file() {
        return key.isEmpty()
                ? require(HMAC_KEY, () -> KeySet.ofSecret(SettingChecks.read(HMAC_KEY, hmacKey)))
                : require(KEY, () -> KeySet.ofFile(new String(SettingChecks.read(KEY, key), UTF_8)));
    }

    private URI address() {
        return SettingChecks.address(JWKS_URL, jwksUrl, allowHttp, "replace the keys", PREFIX + "allow-http");
    }
}

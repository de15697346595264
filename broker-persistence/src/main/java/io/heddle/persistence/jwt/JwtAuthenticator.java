package io.heddle.persistence.jwt;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates clients whose password is a signed JWT. Other passwords are not its business. Thread-safe. Bound: one verification for each
 * processor at once, because some algorithms take milliseconds and the event loops need the processors, too; the callers bound those that wait.
 */
public final class JwtAuthenticator implements Authenticator {
    private final KeySource keys;
    private final ClaimRules rules;
    private final List<RequiredClaim> required;
    private final InstantSource timeOfDay;
    private final SteadyClock clock;
    private final Semaphore processors = new Semaphore(Runtime.getRuntime().availableProcessors());

    /**
     * @param timeOfDay decides whether a token is valid
     * @param clock measures the time until it expires
     */
    public JwtAuthenticator(KeySource keys, ClaimRules rules, InstantSource timeOfDay, SteadyClock clock) {
        this.keys = keys;
        this.rules = rules;
        this.required = rules.requiredClaims();
        this.timeOfDay = timeOfDay;
        this.clock = clock;
    }

    @Override
    public boolean mayApply(ConnectCredentials credentials) {
        return token(credentials) != null;
    }

    private static @Nullable Token token(ConnectCredentials credentials) {
        BinaryData password = credentials.password();
        return password == null ? null : Token.parse(password);
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        Token token = token(credentials);
        if (token == null) {
            return null;
        }
        try {
            Claims claims = verified(token, credentials);
            Instant now = timeOfDay.instant();
            return inSteadyTime(rules.client(claims, required, credentials, now), now);
        } catch (RefusedTokenException refused) {
            return new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, refused.detail());
        }
    }

    private Claims verified(Token token, ConnectCredentials credentials) throws RefusedTokenException {
        List<VerificationKey> candidates = keys.find(token);
        if (candidates.isEmpty()) {
            throw new RefusedTokenException("no key fits the algorithm and the key id of the token");
        }
        processors.acquireUninterruptibly();
        try {
            if (credentials.gone().getAsBoolean()) {
                throw new SignInBusyException("the client disconnected");
            }
            for (VerificationKey each : candidates) {
                String payload = each.verify(token);
                if (payload != null) {
                    return new Claims(JsonUtil.parseJson(payload), each.tokenKey());
                }
            }
        } catch (JoseException malformed) {
            throw new RefusedTokenException("the token is malformed");
        } finally {
            processors.release();
        }
        throw new RefusedTokenException("the signature of the token is wrong");
    }

    /** The time of day may be set while the client is connected. */
    private Accepted inSteadyTime(Accepted accepted, Instant now) {
        Instant end = accepted.validUntil();
        return end == null
                ? accepted
                : new Accepted(accepted.identity(), accepted.groups(), accepted.attributes(), clock.deadline(end, now));
    }
}

package io.heddle.transport.certificate;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.Staples;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The OCSP responses about the certificates of the server, which clients get in the handshake if they ask for them (stapling, RFC 6066). A response
 * is fetched again when half of its time is over, and after a pause if that fails. The last one stays while it is valid, unless the authority says that the
 * certificate is revoked. Bound: one response for each certificate in use. {@link #of} may be called by any thread, {@link #refresh} by one thread, which blocks.
 *
 * <p>Metrics: {@code heddle.tls.ocsp.fetches{result}}, {@code heddle.tls.ocsp.missing}.
 */
public final class OcspStaples implements Staples {
    private static final Logger log = LoggerFactory.getLogger(OcspStaples.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Responders responders;
    private final Clock clock;
    private final Counter fetched;
    private final Counter failed;
    private final Counter revoked;
    private final Map<X509Certificate, Staple> staples = new ConcurrentHashMap<>();

    /** Reaches the responders of authorities. */
    @FunctionalInterface
    public interface Responders {
        /** @throws IOException without an answer in time, or with one that is too large */
        byte[] ask(URI address, byte[] request) throws IOException;
    }

    /**
     * A response, or none.
     *
     * @param question null if the certificate names no responder, or its issuer is not known
     * @param response null before the first one, and while the certificate is revoked
     * @param end of its validity, or of that of the response before the certificate was revoked
     * @param due the time of the next fetch
     * @param isRevoked whether the authority has said so since the last response
     */
    private record Staple(
            @Nullable OcspQuestion question,
            @Nullable BinaryData response,
            Instant end,
            Instant due,
            boolean isRevoked) {}

    public OcspStaples(Responders responders, Clock clock, MeterRegistry metrics) {
        this.responders = responders;
        this.clock = clock;
        this.fetched = metrics.counter("heddle.tls.ocsp.fetches", "result", "success");
        this.failed = metrics.counter("heddle.tls.ocsp.fetches", "result", "failure");
        this.revoked = metrics.counter("heddle.tls.ocsp.fetches", "result", "revoked");
        var _ = metrics.gauge("heddle.tls.ocsp.missing", this, OcspStaples::missing);
    }

    private double missing() {
        return staples.keySet().stream().filter(each -> of(each) == null).count();
    }

    @Override
    public byte @Nullable [] of(X509Certificate certificate) {
        Staple staple = staples.get(certificate);
        BinaryData response = staple == null || !clock.instant().isBefore(staple.end) ? null : staple.response;
        return response == null ? null : response.array();
    }

    /** Fetches the responses that are due. To be called every few seconds. */
    public void refresh(Collection<ServerKey> used) {
        Set<X509Certificate> certificates =
                used.stream().map(ServerKey::certificate).collect(Collectors.toSet());
        staples.keySet().retainAll(certificates);
        for (ServerKey key : used) {
            Staple staple = staples.computeIfAbsent(key.certificate(), _ -> begin(key));
            if (staple.question != null && !clock.instant().isBefore(staple.due)) {
                staples.put(key.certificate(), next(staple, staple.question, key.files()));
            }
        }
    }

    private static Staple begin(ServerKey key) {
        try {
            return new Staple(OcspQuestion.of(key), null, Instant.MIN, Instant.MIN, false);
        } catch (IllegalArgumentException wrong) {
            log.warn(
                    "A certificate gets no OCSP response: {}; file={}",
                    wrong.getMessage(),
                    key.files().certificate());
            return new Staple(null, null, Instant.MIN, Instant.MAX, false);
        }
    }

    private Staple next(Staple before, OcspQuestion question, KeyFiles files) {
        String subject = question.certificate().getSubjectX500Principal().getName();
        try {
            byte[] response = responders.ask(question.responder(), question.request());
            Instant now = clock.instant();
            OcspQuestion.Validity validity = question.check(response, now);
            fetched.increment();
            log.debug("Fetched an OCSP response: subject={}, validity={}", subject, validity);
            Instant half = validity.begin()
                    .plus(Duration.between(validity.begin(), validity.end()).dividedBy(2));
            Instant soonest = now.plus(PAUSE);
            if (!validity.end().isAfter(before.end)) {
                // The same one, or that of a server of the authority that lags behind.
                return new Staple(question, before.response, before.end, soonest, before.isRevoked);
            }
            return new Staple(
                    question, BinaryData.wrap(response), validity.end(), half.isAfter(soonest) ? half : soonest, false);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException failure) {
            Instant due = clock.instant().plus(PAUSE);
            if (isRevoked(failure)) {
                revoked.increment();
                if (!before.isRevoked) {
                    log.error(
                            "The authority has revoked the certificate of the server; clients get no OCSP response, and some will not connect:"
                                    + " replace the certificate; subject={}, file={}, address={}",
                            subject,
                            files.certificate(),
                            question.responder());
                }
                return new Staple(question, null, before.end, due, true);
            }
            failed.increment();
            log.warn(
                    "Cannot fetch an OCSP response; the last one is used until it ends: {}; subject={}, address={}, end={}",
                    failure.toString(),
                    subject,
                    question.responder(),
                    before.response == null ? "none" : before.end);
            return new Staple(question, before.response, before.end, due, before.isRevoked);
        }
    }

    private static boolean isRevoked(Exception failure) {
        return failure instanceof CertPathValidatorException invalid && invalid.getReason() == BasicReason.REVOKED;
    }
}

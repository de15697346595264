package io.heddle.transport.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.testkit.OcspAuthority;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.TlsFixture;
import io.heddle.transport.tls.TlsProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.UnknownStatus;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of a responder that is good, down, slow to renew, or wrong. */
final class OcspStaplesTest {
    private static final String RESPONDER = "http://ocsp.example/a";
    private static final Duration VALIDITY = Duration.ofHours(4);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private interface Answer {
        byte[] to(byte[] request) throws Exception;
    }

    @AutoClose
    private final TlsFixture fixture;

    private final OcspAuthority authority;
    private final Issued issued;
    private final KeyFiles files;
    private final ServerKey key;
    private final List<URI> asked = new ArrayList<>();
    private final Instant start = Instant.now();
    private Instant now = start;
    private Answer answer = request -> good(request);
    private final OcspStaples staples;

    OcspStaplesTest(@TempDir Path directory) throws Exception {
        fixture = new TlsFixture(directory);
        authority = new OcspAuthority(fixture.authority(), RESPONDER);
        issued = authority.server();
        files = files(issued, true);
        key = ServerKeyReader.read(files);
        staples = new OcspStaples(this::ask, new MovedClock(), fixture.registry());
    }

    private KeyFiles files(Issued server, boolean hasChain) throws IOException {
        return new KeyFiles(
                "heddle.mqtt.tls",
                fixture.write(
                        "server.pem",
                        server.certificatePem()
                                + (hasChain ? fixture.authority().certificatePem() : "")),
                fixture.write("key.pem", server.keyPem()),
                "");
    }

    private final class MovedClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private byte[] ask(URI address, byte[] request) throws IOException {
        asked.add(address);
        try {
            return answer.to(request);
        } catch (IOException failed) {
            throw failed;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private byte[] good(byte[] request) throws Exception {
        return authority.answer(request, now, now.plus(VALIDITY));
    }

    @BeforeEach
    void nothingIsStapledYet() {
        assertThat(staples.of(issued.certificate())).isNull();
    }

    private void refreshAfter(Duration time) {
        now = now.plus(time);
        staples.refresh(List.of(key));
    }

    private boolean isStapled() {
        return staples.of(issued.certificate()) != null;
    }

    private double missing() {
        return fixture.registry().get("heddle.tls.ocsp.missing").gauge().value();
    }

    private double fetches(String result) {
        return fixture.count("heddle.tls.ocsp.fetches", "result", result);
    }

    @Test
    void theResponseIsFetchedAgainWhenHalfOfItsTimeIsOver() {
        refreshAfter(Duration.ZERO);
        assertThat(isStapled()).isTrue();
        assertThat(asked).containsExactly(URI.create(RESPONDER));
        byte[] first = staples.of(issued.certificate());

        refreshAfter(VALIDITY.dividedBy(2).minusSeconds(1));
        assertThat(asked).hasSize(1);
        refreshAfter(Duration.ofSeconds(2));

        assertThat(asked).hasSize(2);
        assertThat(staples.of(issued.certificate())).isNotNull().isNotEqualTo(first);
        assertThat(fetches("success")).isEqualTo(2);
        assertThat(missing()).isZero();
    }

    @Test
    void theLastResponseIsUsedUntilItEndsWhileTheResponderIsDown() {
        refreshAfter(Duration.ZERO);
        answer = _ -> {
            throw new IOException("planted by a test");
        };

        refreshAfter(VALIDITY.dividedBy(2).plusSeconds(1));
        refreshAfter(PAUSE.minusSeconds(1));
        assertThat(asked).hasSize(2);
        refreshAfter(Duration.ofSeconds(2));
        assertThat(asked).hasSize(3);
        assertThat(isStapled()).isTrue();
        assertThat(fetches("failure")).isEqualTo(2);
        now = start.plus(VALIDITY).plusSeconds(1);
        assertThat(isStapled()).isFalse();
        assertThat(missing()).isOne();

        answer = this::good;
        refreshAfter(PAUSE);

        assertThat(isStapled()).isTrue();
        assertThat(missing()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown",
                "stranger",
                "otherCertificate",
                "old",
                "ended",
                "future",
                "garbage",
                "refused",
                "endless"
            })
    void aResponseThatProvesNothingIsNotUsed(String kind) {
        answer = request -> wrong(kind, request);

        refreshAfter(Duration.ZERO);

        assertThat(asked).hasSize(1);
        assertThat(isStapled()).isFalse();
        assertThat(fetches("failure")).isOne();
    }

    private byte[] wrong(String kind, byte[] request) throws Exception {
        Issued own = fixture.authority();
        Instant end = now.plus(VALIDITY);
        return switch (kind) {
            case "unknown" -> OcspAuthority.answer(request, new UnknownStatus(), own, now, end);
            case "stranger" ->
                OcspAuthority.answer(
                        request, CertificateStatus.GOOD, fixture.trial().authority("Trial authority"), now, end);
            case "otherCertificate" ->
                good(new OcspQuestion(authority.server().certificate(), own.certificate(), URI.create(RESPONDER))
                        .request());
            case "old" -> authority.answer(request, now.minus(VALIDITY), now.minus(Duration.ofHours(1)));
            // The JDK would accept both.
            case "ended" -> authority.answer(request, now.minus(VALIDITY), now.minus(Duration.ofMinutes(10)));
            case "future" -> authority.answer(request, now.plus(Duration.ofMinutes(10)), end);
            case "refused" -> new byte[] {0x30, 0x03, 0x0a, 0x01, 0x06};
            case "endless" -> OcspAuthority.answer(request, CertificateStatus.GOOD, own, now, null);
            default -> "garbage".getBytes(UTF_8);
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {-10, 60})
    void aResponseIsNotReplacedByOneThatEndsEarlier(long minutesFromNow) {
        refreshAfter(Duration.ZERO);
        byte[] first = staples.of(issued.certificate());
        answer = request -> authority.answer(request, start, now.plus(Duration.ofMinutes(minutesFromNow)));

        refreshAfter(VALIDITY.dividedBy(2).plusSeconds(1));

        assertThat(asked).hasSize(2);
        assertThat(staples.of(issued.certificate())).isEqualTo(first);
        answer = this::good;
        refreshAfter(PAUSE);
        assertThat(staples.of(issued.certificate())).isNotNull().isNotEqualTo(first);
    }

    private byte[] revoked(byte[] request, Instant since) throws IOException {
        return OcspAuthority.answer(
                request,
                new RevokedStatus(Date.from(since), CRLReason.keyCompromise),
                fixture.authority(),
                now,
                now.plus(VALIDITY));
    }

    @ParameterizedTest
    @ValueSource(longs = {-60, 60})
    void theResponseIsDroppedAtOnceWhenTheCertificateIsRevoked(long secondsFromNow) throws Exception {
        Answer old = fixedAnswer();
        answer = old;
        refreshAfter(Duration.ZERO);
        assertThat(isStapled()).isTrue();

        answer = request -> revoked(request, now.plusSeconds(secondsFromNow));
        refreshAfter(VALIDITY.dividedBy(2).plusSeconds(1));

        assertThat(isStapled()).isFalse();
        assertThat(missing()).isOne();
        assertThat(fetches("revoked")).isOne();
        assertThat(fetches("failure")).isZero();

        // Another server of the authority has not heard of it.
        answer = old;
        refreshAfter(PAUSE);
        assertThat(isStapled()).isFalse();
        answer = this::good;
        refreshAfter(PAUSE);
        assertThat(isStapled()).isTrue();
    }

    @Test
    void aCertificateThatIsRevokedFromTheStartGetsNoResponse() {
        answer = request -> revoked(request, start.minusSeconds(60));

        refreshAfter(Duration.ZERO);
        refreshAfter(PAUSE);

        assertThat(isStapled()).isFalse();
        assertThat(fetches("revoked")).isEqualTo(2);
    }

    /** The same response to all requests. */
    private Answer fixedAnswer() throws Exception {
        byte[] response =
                good(new OcspQuestion(issued.certificate(), fixture.authority().certificate(), URI.create(RESPONDER))
                        .request());
        return _ -> response;
    }

    @Test
    void aResponderThatTheAuthorityHasAuthorizedCounts() throws Exception {
        Issued delegate = authority.delegate();
        answer = request -> OcspAuthority.answer(request, CertificateStatus.GOOD, delegate, now, now.plus(VALIDITY));
        refreshAfter(Duration.ZERO);
        assertThat(isStapled()).isTrue();
    }

    @Test
    void anotherCertificateOfTheAuthorityAuthorizesNoResponder() throws Exception {
        Issued other = authority.withoutResponder();
        answer = request -> OcspAuthority.answer(request, CertificateStatus.GOOD, other, now, now.plus(VALIDITY));
        refreshAfter(Duration.ZERO);
        assertThat(isStapled()).isFalse();
    }

    @Test
    void nobodyIsAskedWithoutAResponderOrAnAuthority() throws Exception {
        for (KeyFiles each : List.of(files(authority.withoutResponder(), true), files(issued, false))) {
            staples.refresh(List.of(ServerKeyReader.read(each)));
        }
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientsGetTheResponseInTheHandshakeAlsoAfterAReload(String protocol) throws Exception {
        Certificates certificates = fixture.certificates(
                fixture.handshakes(100, Duration.ofSeconds(60)), TlsFixture.with(TlsProvider.OPENSSL, files), staples);
        InetSocketAddress address = fixture.serve(certificates.tls("mqtts"));
        assertThat(responses(address, protocol)).isEmpty();

        staples.refresh(certificates.keys(List.of("mqtts")));
        assertThat(responses(address, protocol)).containsExactly(staples.of(issued.certificate()));

        var _ = certificates.reload();
        assertThat(responses(address, protocol)).containsExactly(staples.of(issued.certificate()));
    }

    private List<byte[]> responses(InetSocketAddress address, String protocol) throws Exception {
        SSLSocket socket = fixture.connect(address, fixture.clients(null), "localhost", protocol);
        assertThat(TlsFixture.echoes(socket)).isTrue();
        return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
    }
}

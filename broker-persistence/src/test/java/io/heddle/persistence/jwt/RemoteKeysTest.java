package io.heddle.persistence.jwt;

import static io.heddle.persistence.StubServer.await;
import static io.heddle.persistence.StubServer.begun;
import static io.heddle.persistence.StubServer.endless;
import static io.heddle.persistence.StubServer.redirect;
import static io.heddle.persistence.StubServer.status;
import static io.heddle.persistence.StubServer.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.TokenKey;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.StubServer;
import io.heddle.persistence.StubServer.Answer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys of a web server that rotates them, is down, slow, or wrong. */
final class RemoteKeysTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration REFRESH = Duration.ofMinutes(10);
    private static final Signer OLD = Signer.of("ES256");
    private static final Signer NEW = Signer.of("ES256");

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Answer answer = text(OLD.jwkSet("old"));
    private final StubServer server = new StubServer(exchange -> {
        requests.incrementAndGet();
        answer.to(exchange);
    });
    private RemoteKeys keys = keys(Duration.ofSeconds(10));

    private RemoteKeys keys(Duration timeout) {
        return new RemoteKeys(address(), timeout, REFRESH, PAUSE, nanos::get, metrics);
    }

    private URI address() {
        return URI.create(server.url() + "/keys");
    }

    @AfterEach
    void stop() {
        released.countDown();
        keys.close();
        server.close();
        threads.shutdownNow();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static Token token(Signer signer, String keyId) {
        return Objects.requireNonNull(
                Token.parse(BinaryData.wrap(signer.token(keyId, Map.of()).getBytes(UTF_8))));
    }

    private boolean knows(Signer signer, String keyId) {
        return !keys.find(token(signer, keyId)).isEmpty();
    }

    private double count(String outcome) {
        return metrics.counter("heddle.authentication.jwt.fetches", "outcome", outcome)
                .count();
    }

    private double age() {
        return metrics.get("heddle.authentication.jwt.keys.age").gauge().value();
    }

    @Test
    void theKeysAreFetchedForTheFirstTokenAndAtTheInterval() {
        assertThat(age()).isNaN();
        assertThat(knows(OLD, "old")).isTrue();
        assertThat(age()).isZero();

        pass(REFRESH.minusSeconds(1));
        keys.refresh();
        assertThat(requests).hasValue(1);
        assertThat(age()).isEqualTo(599);
        pass(Duration.ofSeconds(1));
        keys.refresh();

        assertThat(requests).hasValue(2);
        assertThat(count("ok")).isEqualTo(2);
    }

    @Test
    void anUnknownKeyIsFetchedAndThenTheOldOneIsGone() {
        keys.refresh();
        answer = text(NEW.jwkSet("new"));
        pass(PAUSE);

        assertThat(knows(NEW, "new")).isTrue();

        assertThat(knows(OLD, "old")).isFalse();
        assertThat(requests).hasValue(2);
    }

    private boolean isValid(Signer signer) {
        return Objects.requireNonNull(keys.valid()).contains(signer.tokenKey());
    }

    @Test
    void aKeyIsRemovedWhenTwoSetsWithAPauseBetweenThemLackIt() {
        keys.refresh();
        answer = text(NEW.jwkSet("new"));
        pass(REFRESH);
        keys.refresh();
        assertThat(knows(OLD, "old")).isFalse();
        assertThat(isValid(OLD)).isTrue();
        assertThat(isValid(NEW)).isTrue();

        // An answer that is wrong decides nothing.
        answer = status(500);
        pass(PAUSE);
        keys.refresh();
        assertThat(count("failed")).isOne();
        assertThat(isValid(OLD)).isTrue();

        answer = text(NEW.jwkSet("new"));
        pass(PAUSE.minusNanos(1));
        keys.refresh();
        assertThat(isValid(OLD)).isTrue();
        pass(Duration.ofNanos(1));
        keys.refresh();

        assertThat(isValid(OLD)).isFalse();
        assertThat(isValid(NEW)).isTrue();
        assertThat(requests).hasValue(4);
        pass(REFRESH.minusNanos(1));
        keys.refresh();
        assertThat(requests).hasValue(4);
    }

    @Test
    void aKeyThatOneSetLacksStays() {
        keys.refresh();
        for (int i = 0; i < 3; i++) {
            answer = text(NEW.jwkSet("new"));
            pass(REFRESH);
            keys.refresh();
            answer = text(OLD.jwkSet("old"));
            pass(PAUSE);
            keys.refresh();
            assertThat(isValid(OLD)).isTrue();
            assertThat(knows(OLD, "old")).isTrue();
        }
    }

    @Test
    void fetchesWithinThePauseDoNotRemoveAKey() {
        keys.close();
        keys = new RemoteKeys(address(), Duration.ofSeconds(10), Duration.ofSeconds(1), PAUSE, nanos::get, metrics);
        keys.refresh();
        answer = text(NEW.jwkSet("new"));
        for (int i = 0; i < 30; i++) {
            pass(Duration.ofSeconds(1));
            keys.refresh();
            assertThat(isValid(OLD)).isTrue();
        }
        assertThat(requests).hasValue(31);

        pass(Duration.ofSeconds(1));
        keys.refresh();

        assertThat(isValid(OLD)).isFalse();
    }

    @Test
    void manyUnknownKeysCauseOneFetchInAPause() {
        keys.refresh();
        pass(PAUSE);
        for (int i = 0; i < 1_000; i++) {
            assertThat(knows(OLD, "random" + i)).isFalse();
        }
        assertThat(requests).hasValue(2);

        pass(PAUSE.minusNanos(1));
        assertThat(knows(OLD, "random")).isFalse();
        assertThat(requests).hasValue(2);
        pass(Duration.ofNanos(1));
        assertThat(knows(OLD, "random")).isFalse();
        assertThat(requests).hasValue(3);
    }

    @Test
    void clientsWaitForOneFetchTogetherWhileKnownKeysWork() throws Exception {
        keys.refresh();
        pass(PAUSE);
        CountDownLatch asked = new CountDownLatch(1);
        answer = exchange -> {
            asked.countDown();
            await(released);
            text(NEW.jwkSet("new")).to(exchange);
        };
        List<Future<Boolean>> waiting = new ArrayList<>();
        waiting.add(threads.submit(() -> knows(NEW, "new")));
        await(asked);
        for (int i = 0; i < 100; i++) {
            waiting.add(threads.submit(() -> knows(NEW, "new")));
        }

        assertThat(knows(OLD, "old")).isTrue();
        released.countDown();

        for (Future<Boolean> each : waiting) {
            assertThat(each.get()).isTrue();
        }
        assertThat(requests).hasValue(2);
    }

    @Test
    void theLastKeysStayWhileTheServerIsWrong() {
        assertThat(keys.valid()).isNull();
        keys.refresh();
        Set<TokenKey> known = keys.valid();
        for (Answer wrong : List.of(
                status(500),
                status(404),
                redirect(),
                text("garbage"),
                text("{\"keys\":[1,\"a\",null]}"),
                text("{\"keys\":[]}"),
                text(Signer.of("HS256").jwkSet("old")),
                endless())) {
            answer = wrong;
            pass(REFRESH);
            keys.refresh();
            assertThat(keys.valid()).isNotNull().isEqualTo(known);
            assertThat(knows(OLD, "old")).isTrue();
            assertThatThrownBy(() -> knows(NEW, "new")).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(count("failed")).isEqualTo(8);
        assertThat(age()).isEqualTo(8.0 * REFRESH.toSeconds());

        answer = text(NEW.jwkSet("new"));
        pass(PAUSE);
        keys.refresh();

        assertThat(knows(NEW, "new")).isTrue();
        assertThat(age()).isZero();
    }

    @Test
    void aServerThatIsDownIsAskedAgainAfterThePause() {
        server.close();

        assertThatThrownBy(() -> knows(OLD, "old")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> knows(OLD, "old")).isInstanceOf(StoreUnavailableException.class);
        assertThat(count("failed")).isOne();
        pass(PAUSE);
        keys.refresh();

        assertThat(count("failed")).isEqualTo(2);
        assertThat(age()).isNaN();
    }

    @Test
    void aSlowServerIsAbandoned() {
        keys.close();
        keys = keys(Duration.ofMillis(200));
        answer = begun(released);
        long start = System.nanoTime();

        assertThatThrownBy(() -> knows(OLD, "old")).isInstanceOf(StoreUnavailableException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(200), Duration.ofSeconds(9));
        assertThat(count("failed")).isOne();
    }
}

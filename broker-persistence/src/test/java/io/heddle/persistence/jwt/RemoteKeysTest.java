package io.heddle.persistence.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.TokenKey;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of a web server that rotates them, is down, slow, or wrong. */
final class RemoteKeysTest {
    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration REFRESH = Duration.ofMinutes(10);
    private static final Signer OLD = Signer.of("ES256");
    private static final Signer NEW = Signer.of("ES256");

    /** The answer of the server to a request. */
    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch released = new CountDownLatch(1);
    private final HttpServer server;
    private RemoteKeys keys;
    private volatile Answer answer = text(OLD.jwkSet("old"));

    RemoteKeysTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keys = keys(Duration.ofSeconds(10));
    }

    private RemoteKeys keys(Duration timeout) {
        return new RemoteKeys(address(), timeout, REFRESH, PAUSE, nanos::get, metrics);
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
    }

    @BeforeEach
    void startServer() {
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                answer.to(exchange);
            }
        });
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        released.countDown();
        keys.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private static Answer text(String text) {
        return exchange -> {
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        };
    }

    private static Answer status(int code) {
        return exchange -> exchange.sendResponseHeaders(code, -1);
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

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
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

    private static Answer redirect() {
        return exchange -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** 100 MB, of which the broker must not read more than 1 MB and what the network buffers. */
    private static Answer endless() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            for (int i = 0; i < 100; i++) {
                body.write(new byte[1 << 20]);
            }
        };
    }

    @Test
    void aServerThatIsDownIsAskedAgainAfterThePause() {
        server.stop(0);

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
        answer = exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            await(released);
        };
        long start = System.nanoTime();

        assertThatThrownBy(() -> knows(OLD, "old")).isInstanceOf(StoreUnavailableException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(200), Duration.ofSeconds(9));
        assertThat(count("failed")).isOne();
    }
}

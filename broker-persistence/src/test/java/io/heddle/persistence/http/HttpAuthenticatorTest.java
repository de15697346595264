package io.heddle.persistence.http;

import static io.heddle.persistence.StubServer.await;
import static io.heddle.persistence.StubServer.begun;
import static io.heddle.persistence.StubServer.endless;
import static io.heddle.persistence.StubServer.redirect;
import static io.heddle.persistence.StubServer.status;
import static io.heddle.persistence.StubServer.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.heddle.core.Limit;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.persistence.StubServer;
import io.heddle.persistence.StubServer.Answer;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A service that answers, lies, hangs, or is down. */
final class HttpAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");
    /** The broker was started with a wrong time of day. */
    private static final SteadyClock STEADY = new SteadyClock(() -> Instant.EPOCH, () -> 0);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration CACHE_TIME = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int BREAKER_FAILURES = 3;

    private record Received(
            String method,
            String target,
            @Nullable String authorization,
            @Nullable String apiKey,
            int port) {}

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Received> received = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private volatile Answer answer = text("{\"result\": \"allow\"}");
    private final StubServer server = new StubServer(exchange -> {
        record(exchange);
        answer.to(exchange);
    });
    private Instant now = NOW;
    private LongSupplier nanoTime = nanos::get;
    private int concurrentRequests = 100;
    private long cacheBytes = 1 << 20;

    private void record(HttpExchange exchange) throws IOException {
        received.add(new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders().getFirst("X-API-Key"),
                exchange.getRemoteAddress().getPort()));
        exchange.getRequestBody().readAllBytes();
    }

    @AfterEach
    void stop() throws Exception {
        released.countDown();
        for (AutoCloseable each : toClose) {
            each.close();
        }
        server.close();
        threads.shutdownNow();
    }

    private String url() {
        return server.url() + "/connect";
    }

    private HttpAuthenticator service() {
        return service(ServiceRequests.parse(url(), true), LONG);
    }

    private HttpAuthenticator service(ServiceRequests requests, Duration timeout) {
        HttpAuthenticator created = new HttpAuthenticator(
                requests,
                Map.of("X-API-Key", "1234"),
                null,
                new ServiceLimits(
                        timeout,
                        new Limit("concurrent-requests", concurrentRequests),
                        CACHE_TIME,
                        cacheBytes,
                        BREAKER_FAILURES,
                        PAUSE),
                failing::contains,
                () -> now,
                STEADY,
                nanoTime,
                metrics);
        toClose.add(created);
        return created;
    }

    private static ConnectCredentials shown(String password) {
        return ServiceRequestsTest.credentials("pump", "alice", password.getBytes(UTF_8));
    }

    private static @Nullable AuthenticationOutcome decide(HttpAuthenticator service) {
        return decide(service, "secret");
    }

    private static @Nullable AuthenticationOutcome decide(HttpAuthenticator service, String password) {
        return service.authenticate(shown(password));
    }

    private static Accepted accepted(ClientIdentity identity) {
        return new Accepted(identity);
    }

    private static void assertRefused(@Nullable AuthenticationOutcome outcome, ReasonCode reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    private long count(String outcome) {
        Timer timer = metrics.find("heddle.authentication.http.requests")
                .tag("outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    private double unasked(String reason) {
        return metrics.counter("heddle.authentication.http.unasked", "reason", reason)
                .count();
    }

    private double isOpen() {
        return metrics.get("heddle.authentication.http.circuit.open").gauge().value();
    }

    // Answers.

    @Test
    void theServiceSaysYesNoOrNotMine() {
        HttpAuthenticator service = service();

        assertThat(decide(service, "a"))
                .isEqualTo(accepted(new ClientIdentity(new ClientId("pump"), ClientType.DEVICE, "alice", false)));
        answer = text("{\"result\": \"deny\"}");
        assertRefused(decide(service, "b"), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        answer = status(401);
        assertRefused(decide(service, "c"), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        answer = text("{\"result\": \"ignore\"}");
        assertThat(decide(service, "d")).isNull();

        assertThat(count("allow")).isOne();
        assertThat(count("deny")).isEqualTo(2);
        assertThat(count("ignore")).isOne();
        assertThat(received).allSatisfy(each -> {
            assertThat(each.method()).isEqualTo("POST");
            assertThat(each.target()).isEqualTo("/connect");
            assertThat(each.authorization()).isNull();
            assertThat(each.apiKey()).isEqualTo("1234");
        });
    }

    @Test
    void theAnswerSuppliesIdentityGroupsAttributesAndTheEnd() {
        answer = text("""
                {"result": "allow", "clientType": "APPLICATION", "userName": "bob", "ownsClientId": true,
                 "groups": ["operators"], "attributes": {"site": "paris"}, "expireAt": %d}""".formatted(NOW.getEpochSecond() + 60));

        assertThat(decide(service()))
                .isEqualTo(new Accepted(
                        new ClientIdentity(new ClientId("pump"), ClientType.APPLICATION, "bob", true),
                        Set.of("operators"),
                        Map.of("site", "paris"),
                        Instant.ofEpochSecond(60)));
    }

    @Test
    void anEmptyUserNameIsNone() {
        assertThat(service().authenticate(ServiceRequestsTest.credentials("pump", "", "secret".getBytes(UTF_8))))
                .isEqualTo(accepted(new ClientIdentity(new ClientId("pump"), ClientType.DEVICE, null, false)));
    }

    @Test
    void aPermissionThatHasEndedIsNone() {
        answer = text("{\"result\": \"allow\", \"expireAt\": " + NOW.getEpochSecond() + "}");

        assertRefused(decide(service()), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void getSendsUserNameAndPasswordInTheHeader() {
        HttpAuthenticator service = service(ServiceRequests.parse(url() + "?id=${clientId}", false), LONG);

        assertThat(decide(service)).isInstanceOf(Accepted.class);

        assertThat(received).singleElement().satisfies(each -> {
            assertThat(each.method()).isEqualTo("GET");
            assertThat(each.target()).isEqualTo("/connect?id=pump");
            assertThat(each.authorization()).isEqualTo("Basic YWxpY2U6c2VjcmV0");
        });
    }

    @Test
    void aServiceThatDoesNotKnowTheClientIdCannotGiveItAway() {
        answer = text("{\"result\": \"allow\", \"ownsClientId\": true}");

        assertRefused(decide(service(ServiceRequests.parse(url(), false), LONG)), ReasonCode.SERVER_UNAVAILABLE);

        assertThat(count("malformed")).isOne();
    }

    @Test
    void aClientWithoutUserNameAndPasswordIsNotAskedAbout() {
        HttpAuthenticator service = service();
        ConnectCredentials anonymous = ServiceRequestsTest.credentials("pump", null, null);

        assertThat(service.mayApply(anonymous)).isFalse();
        assertThat(service.authenticate(anonymous)).isNull();
        assertThat(received).isEmpty();
    }

    @Test
    void aClientThatIsGoneIsNotAskedAbout() {
        ConnectCredentials gone = new ConnectCredentials(
                new ClientId("pump"), "alice", null, new InetSocketAddress(0), () -> true, true, null, "");

        assertThatThrownBy(() -> service().authenticate(gone)).isInstanceOf(SignInBusyException.class);

        assertThat(received).isEmpty();
    }

    @Test
    void connectionsAreKept() {
        HttpAuthenticator service = service();
        for (int i = 0; i < 20; i++) {
            assertThat(decide(service, "secret" + i)).isInstanceOf(Accepted.class);
        }

        assertThat(received)
                .hasSize(20)
                .extracting(Received::port)
                .containsOnly(received.element().port());
    }

    // Failures.

    @Test
    void lyingServicesRefuseTheClient() {
        Map<Answer, String> lies = Map.of(
                text("garbage"), "malformed",
                text("{\"result\": \"allow\", \"groups\": 1}"), "malformed",
                status(500), "status",
                redirect(), "status",
                endless(), "failed",
                tooLarge(), "failed",
                truncated(), "failed");
        lies.forEach((lie, outcome) -> {
            HttpAuthenticator service = service();
            answer = lie;
            long before = count(outcome);

            assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);

            assertThat(count(outcome)).isEqualTo(before + 1);
        });
        assertThat(received).extracting(Received::target).containsOnly("/connect");
    }

    private static Answer tooLarge() {
        return text("{\"result\": \"allow\"}" + " ".repeat(HttpAuthenticator.MAXIMUM_BYTES));
    }

    private static Answer truncated() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("{\"result\": \"allow\"}".getBytes(UTF_8));
        };
    }

    @Test
    void aSlowServiceIsAbandoned() {
        HttpAuthenticator service = service(ServiceRequests.parse(url(), true), SHORT);
        for (Answer slow : List.<Answer>of(_ -> await(released), begun(released))) {
            answer = slow;
            long start = System.nanoTime();

            assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, Duration.ofSeconds(9));
        }
        assertThat(count("timeout")).isEqualTo(2);
        assertThat(received).hasSize(2);
    }

    @Test
    void aServiceThatIsDownRefusesTheClient() {
        server.close();

        assertRefused(decide(service()), ReasonCode.SERVER_UNAVAILABLE);

        assertThat(count("failed")).isOne();
    }

    @Test
    void aServerThatAcceptsConnectionsButNeverAnswersIsAbandoned() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpAuthenticator service =
                    service(ServiceRequests.parse("http://127.0.0.1:" + mute.getLocalPort() + "/", true), SHORT);

            assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);

            assertThat(count("timeout")).isOne();
        }
    }

    @Test
    void aRequestOnAConnectionThatTheServerClosesIsRepeatedOnce() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            AtomicInteger requests = new AtomicInteger();
            Future<?> closing = threads.submit(() -> {
                for (int i = 0; i < 2; i++) {
                    try (Socket socket = listening.accept()) {
                        readRequest(socket);
                        requests.incrementAndGet();
                        socket.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n{\"result\": \"allow\"}\n"
                                        .getBytes(UTF_8));
                        // The second request on the connection is not answered.
                        if (i == 0) {
                            readRequest(socket);
                            requests.incrementAndGet();
                        }
                    }
                }
                return null;
            });
            HttpAuthenticator service =
                    service(ServiceRequests.parse("http://127.0.0.1:" + listening.getLocalPort() + "/", true), LONG);

            assertThat(decide(service, "a")).isInstanceOf(Accepted.class);
            assertThat(decide(service, "b")).isInstanceOf(Accepted.class);

            closing.get();
            assertThat(requests).hasValue(3);
        }
    }

    /** Reads until the last byte of the body, which is the end of the JSON object. */
    private static void readRequest(Socket socket) throws IOException {
        int next = socket.getInputStream().read();
        while (next != '}' && next >= 0) {
            next = socket.getInputStream().read();
        }
    }

    // Cache.

    @Test
    void yesAndNotMineAreRememberedForAWhile() {
        HttpAuthenticator service = service();
        for (String text : List.of("{\"result\": \"allow\"}", "{\"result\": \"ignore\"}")) {
            answer = text(text);
            received.clear();
            AuthenticationOutcome first = decide(service, text);
            answer = status(500);

            assertThat(decide(service, text)).isEqualTo(first);
            assertThat(received).hasSize(1);
            nanos.addAndGet(CACHE_TIME.toNanos());
            assertRefused(decide(service, text), ReasonCode.SERVER_UNAVAILABLE);
        }
        assertThat(unasked("cached")).isEqualTo(2);
    }

    @Test
    void anotherPasswordIsNotRemembered() {
        HttpAuthenticator service = service();
        assertThat(decide(service, "right")).isInstanceOf(Accepted.class);
        answer = text("{\"result\": \"deny\"}");

        assertRefused(decide(service, "wrong"), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(decide(service, "right")).isInstanceOf(Accepted.class);
    }

    @Test
    void noIsNotRemembered() {
        HttpAuthenticator service = service();
        answer = text("{\"result\": \"deny\"}");
        assertRefused(decide(service), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        answer = text("{\"result\": \"allow\"}");

        assertThat(decide(service)).isInstanceOf(Accepted.class);
    }

    @Test
    void aPermissionIsRememberedUntilItsEnd() {
        HttpAuthenticator service = service();
        answer = text("{\"result\": \"allow\", \"expireAt\": " + (NOW.getEpochSecond() + 2) + "}");
        assertThat(decide(service)).isInstanceOf(Accepted.class);
        now = NOW.plusSeconds(1);
        assertThat(decide(service))
                .isInstanceOfSatisfying(
                        Accepted.class,
                        accepted -> assertThat(accepted.validUntil()).isEqualTo(Instant.ofEpochSecond(1)));
        now = NOW.plusSeconds(2);
        answer = text("{\"result\": \"allow\"}");

        assertThat(decide(service))
                .isInstanceOfSatisfying(
                        Accepted.class,
                        accepted -> assertThat(accepted.validUntil()).isNull());
        assertThat(received).hasSize(2);
    }

    @Test
    void theSizeOfTheCacheIsBoundedAndZeroDisablesIt() {
        cacheBytes = 10_000;
        assertThat(answeredTwice(service(), 10)).isEqualTo(10);
        // The cache chooses which of them it keeps; in this order, it can lose each before its repetition.
        assertThat(answeredTwice(service(), 100)).isLessThanOrEqualTo(20);
        cacheBytes = 0;
        assertThat(answeredTwice(service(), 10)).isZero();
    }

    /** Returns how many of so many answers are remembered. */
    private int answeredTwice(HttpAuthenticator service, int answers) {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < answers; i++) {
                assertThat(decide(service, "secret" + i)).isInstanceOf(Accepted.class);
            }
        }
        int remembered = 2 * answers - received.size();
        received.clear();
        return remembered;
    }

    // Circuit breaker and bounds.

    @Test
    void aServiceThatFailsIsNotAskedUntilOneRequestSucceeds() {
        HttpAuthenticator service = service();
        assertThat(decide(service, "known")).isInstanceOf(Accepted.class);
        answer = status(500);
        for (int i = 0; i < BREAKER_FAILURES; i++) {
            assertThat(isOpen()).isZero();
            assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);
        }
        assertThat(isOpen()).isOne();
        received.clear();

        answer = text("{\"result\": \"allow\"}");
        assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);
        assertThat(decide(service, "known")).isInstanceOf(Accepted.class);
        assertThat(received).isEmpty();
        assertThat(unasked("circuit_open")).isOne();

        nanos.addAndGet(PAUSE.toNanos());
        assertThat(decide(service)).isInstanceOf(Accepted.class);
        assertThat(isOpen()).isZero();
        assertThat(received).hasSize(1);
    }

    @Test
    void aNoIsNoFailure() {
        HttpAuthenticator service = service();
        answer = status(403);
        for (int i = 0; i < 2 * BREAKER_FAILURES; i++) {
            assertRefused(decide(service), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        }
        assertThat(isOpen()).isZero();
    }

    @Test
    void aRequestThatTheServiceRejectsRefusesOnlyItsClient() {
        HttpAuthenticator service = service();
        for (int code : List.of(400, 413, 414, 422, 431)) {
            answer = status(code);
            assertRefused(decide(service), ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        }
        assertThat(isOpen()).isZero();
        assertThat(count("rejected")).isEqualTo(5);
        assertThat(count("status")).isZero();

        answer = status(404);
        assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);
        assertThat(count("status")).isOne();
    }

    @Test
    void aRejectedRequestIsAnAnswerToTheProbe() {
        HttpAuthenticator service = service();
        answer = status(500);
        for (int i = 0; i < BREAKER_FAILURES; i++) {
            assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);
        }
        nanos.addAndGet(PAUSE.toNanos());
        answer = status(400);

        assertRefused(decide(service), ReasonCode.BAD_USER_NAME_OR_PASSWORD);

        assertThat(isOpen()).isZero();
    }

    private static ConnectCredentials from(String address, String userName, boolean mayWait) {
        return new ConnectCredentials(
                new ClientId("pump"),
                userName,
                null,
                new InetSocketAddress(InetAddress.ofLiteral(address), 4711),
                () -> false,
                mayWait,
                null,
                "");
    }

    /** Names the clients in the order in which the service is asked about them, of which one at a time. */
    private List<String> order(HttpAuthenticator service, List<ConnectCredentials> clients) throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch arrived = new CountDownLatch(1);
        answer = exchange -> {
            arrived.countDown();
            await(released);
            order.add(exchange.getRequestURI().getQuery());
            text("{\"result\": \"ignore\"}").to(exchange);
        };
        List<Future<@Nullable AuthenticationOutcome>> asked = new ArrayList<>();
        asked.add(threads.submit(() -> service.authenticate(from("203.0.113.1", "first", true))));
        arrived.await();
        for (ConnectCredentials each : clients) {
            int before = service.waiting();
            asked.add(threads.submit(() -> service.authenticate(each)));
            while (service.waiting() == before) {
                Thread.onSpinWait();
            }
        }
        released.countDown();
        for (Future<?> each : asked) {
            each.get();
        }
        return order;
    }

    @Test
    void aNetworkWithManyClientsDoesNotKeepOthersWaiting() throws Exception {
        concurrentRequests = 1;
        HttpAuthenticator service = service(ServiceRequests.parse(url() + "?${username}", true), LONG);
        List<ConnectCredentials> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(from("192.0.2.1", "flood" + i, true));
        }
        clients.add(from("198.51.100.1", "honest", true));

        assertThat(order(service, clients)).hasSize(22).startsWith("first", "flood0", "honest");
    }

    @Test
    void aNetworkWithFailuresComesBehindOthers() throws Exception {
        concurrentRequests = 1;
        ConnectCredentials guessing = from("192.0.2.1", "guessing", true);
        failing.add(guessing.signInSource().network());
        HttpAuthenticator service = service(ServiceRequests.parse(url() + "?${username}", true), LONG);

        assertThat(order(service, List.of(guessing, from("198.51.100.1", "honest", true))))
                .containsExactly("first", "honest", "guessing");
    }

    @Test
    void aClientThatMayNotWaitIsAskedAboutOnlyIfATurnIsFree() throws Exception {
        concurrentRequests = 1;
        HttpAuthenticator service = service();
        ConnectCredentials surplus = from("192.0.2.1", "surplus", false);
        assertThat(service.authenticate(surplus)).isInstanceOf(Accepted.class);
        CountDownLatch arrived = new CountDownLatch(1);
        answer = exchange -> {
            arrived.countDown();
            await(released);
            text("{\"result\": \"allow\"}").to(exchange);
        };
        Future<@Nullable AuthenticationOutcome> first = threads.submit(() -> decide(service));
        arrived.await();

        assertThatThrownBy(() -> service.authenticate(from("192.0.2.1", "another", false)))
                .isInstanceOf(SignInBusyException.class);

        released.countDown();
        assertThat(first.get()).isInstanceOf(Accepted.class);
    }

    @Test
    void atMostSoManyRequestsAreSentAtOnceAndTheOthersWait() throws Exception {
        concurrentRequests = 3;
        HttpAuthenticator service = service();
        for (int i = 0; i < 50; i++) {
            assertThat(decide(service, "before" + i)).isInstanceOf(Accepted.class);
        }
        Semaphore arrived = new Semaphore(0);
        AtomicInteger present = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        answer = exchange -> {
            most.accumulateAndGet(present.incrementAndGet(), Math::max);
            arrived.release();
            await(released);
            present.decrementAndGet();
            text("{\"result\": \"allow\"}").to(exchange);
        };
        List<Future<@Nullable AuthenticationOutcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String password = "secret" + i;
            waiting.add(threads.submit(() -> decide(service, password)));
        }
        arrived.acquire(3);
        released.countDown();

        for (Future<@Nullable AuthenticationOutcome> each : waiting) {
            assertThat(each.get()).isInstanceOf(Accepted.class);
        }
        assertThat(most).hasValue(3);
    }

    @Test
    void clientsThatWaitTooLongForTheirTurnAreRefusedAsBusy() throws Exception {
        concurrentRequests = 1;
        nanoTime = System::nanoTime;
        HttpAuthenticator service = service(ServiceRequests.parse(url(), true), SHORT);
        answer = _ -> await(released);
        AtomicInteger busy = new AtomicInteger();
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(threads.submit(() -> {
                try {
                    assertRefused(decide(service), ReasonCode.SERVER_UNAVAILABLE);
                } catch (SignInBusyException refused) {
                    assertThat(refused.limit()).isEqualTo(new Limit("concurrent-requests", 1));
                    busy.incrementAndGet();
                }
            }));
        }

        for (Future<?> each : waiting) {
            each.get();
        }
        assertThat(busy).hasPositiveValue();
    }
}

package io.heddle.core.session;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.publish.PublishService;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.retained.RetainedLimits;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.Router;
import io.heddle.core.subscription.SubscriptionLimits;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** All of core on two event loops that the test drives, with the time of the first. */
final class TestNode {
    static final QueueLimits QUEUE = new QueueLimits(4, 10_000, QueueLimits.Overflow.DROP_OLDEST);
    /** 4 in flight, 3 subscriptions, 2 topic aliases, 5 sessions, 1 hour of expiry. */
    static final SessionSettings SETTINGS = new SessionSettings(65_536, 8, 3, 5, 3_600, 0, 2, 4, 2, QUEUE);

    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final ManualEventLoop loop = new ManualEventLoop(0);
    final ManualEventLoop otherLoop = new ManualEventLoop(1);
    final SteadyClock clock = new SteadyClock(() -> Instant.ofEpochSecond(1_000_000), loop::nanoTime);
    final SubscriptionTrie trie = new SubscriptionTrie(new SubscriptionLimits(5, 5, 10));
    final RetainedMessages retained;
    final MemoryBudget memory;
    final LocalSessions sessions;
    final ConnectService connectService;
    Authenticator authenticator = new AnonymousAuthenticator(new InMemoryCredentialsStore(), () -> true, List.of());

    TestNode() {
        this(SETTINGS, 1_000_000);
    }

    TestNode(SessionSettings settings, long memoryLimitBytes) {
        ManualEventLoop.ofOneNode(loop, otherLoop);
        SessionMetrics sessionMetrics = new SessionMetrics(metrics);
        retained = new RetainedMessages(new RetainedLimits(1_000, 1_000_000, 100_000, 0), clock, metrics);
        memory = new MemoryBudget(memoryLimitBytes, memoryLimitBytes / 4, metrics);
        SessionServices services = new SessionServices(
                new SubscribeService(trie, retained, settings, sessionMetrics),
                new PublishService(
                        retained,
                        new Router(trie),
                        new Dispatcher(new DirectDelivery(2, 1 << 16, metrics)),
                        memory,
                        metrics),
                memory,
                clock,
                settings,
                sessionMetrics);
        sessions = new LocalSessions(services);
        Authentication authentication =
                new Authentication(List.of(shown -> authenticator.authenticate(shown)), Runnable::run, 10, metrics);
        connectService = new ConnectService(authentication, sessions, services);
    }

    /** A client that has sent CONNECT and was answered, if both loops have run what that needs. */
    TestClient connect(ManualEventLoop on, ConnectPacket packet) {
        TestClient client = begin(on, packet);
        runAll();
        return client;
    }

    /** A client that has sent CONNECT, before any event loop has run a task. */
    TestClient begin(ManualEventLoop on, ConnectPacket packet) {
        RecordingConnection connection = new RecordingConnection(on);
        List<Conversation> established = new ArrayList<>();
        connectService.connect(connection, packet, established::add);
        return new TestClient(connection, established);
    }

    TestClient connect(ConnectPacket packet) {
        return connect(loop, packet);
    }

    /** A client of MQTT 5.0 whose session ends with its connection. */
    TestClient connect(String clientId) {
        return connect(new Connect(clientId).packet());
    }

    /** Lets both loops run until neither has anything to do. */
    void runAll() {
        int ran;
        do {
            ran = loop.runTasks() + otherLoop.runTasks();
        } while (ran > 0);
    }

    double count(String name, String... tags) {
        return metrics.get(name).tags(tags).counter().count();
    }

    double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}

package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.core.authentication.AnonymousAccess;
import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.StoredCredentialsAuthenticator;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.publish.PublishService;
import io.heddle.core.session.ConnectService;
import io.heddle.core.session.ConnectedClients;
import io.heddle.core.session.SessionMetrics;
import io.heddle.core.session.SessionSettings;
import io.heddle.core.session.SubscribeService;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.listener.EventLoops;
import io.heddle.transport.listener.MqttServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Opens the door: decides who may come in, and listens. Last but one of the phases, so that everything that a client needs is
 * there. Started and stopped by one thread; any thread may ask for the addresses.
 */
final class MqttListeners implements StartupPhase {
    private final HeddleSettings settings;
    private final boolean standalone;
    private final Stores stores;
    private final PasswordHash passwordHash;
    private final ConnectedClients connectedClients;
    private final SubscribeService subscribeService;
    private final PublishService publishService;
    private final SessionMetrics sessionMetrics;
    private final MeterRegistry metrics;
    private final SelfCheck selfCheck = new SelfCheck(this::firstAddress);
    private final ExecutorService blockingTasks = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("heddle-authentication-", 0).factory());
    private volatile @Nullable AnonymousAccess anonymousAccess;
    private volatile @Nullable MqttServer server;
    private @Nullable EventLoops eventLoops;

    MqttListeners(
            HeddleSettings settings,
            boolean standalone,
            Stores stores,
            PasswordHash passwordHash,
            ConnectedClients connectedClients,
            SubscribeService subscribeService,
            PublishService publishService,
            SessionMetrics sessionMetrics,
            MeterRegistry metrics) {
        this.settings = settings;
        this.standalone = standalone;
        this.stores = stores;
        this.passwordHash = passwordHash;
        this.connectedClients = connectedClients;
        this.subscribeService = subscribeService;
        this.publishService = publishService;
        this.sessionMetrics = sessionMetrics;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the MQTT listeners";
    }

    @Override
    public void start() {
        AnonymousAccess decided = AnonymousAccess.decide(
                settings.authentication().anonymous().enabled(),
                standalone,
                settings.mqtt().isLoopbackOnly(),
                () -> stores.credentials().count() > 0);
        if (decided == AnonymousAccess.NOBODY_COULD_CONNECT) {
            throw new StartupException(
                    "--bind " + settings.mqtt().bind()
                            + " switches anonymous access off, and no credentials are stored, so"
                            + " nobody could connect: store some with ./heddle credentials add, or let everybody in with"
                            + " --heddle.authentication.anonymous.enabled=true",
                    null);
        }
        anonymousAccess = decided;
        SessionSettings sessionSettings = settings.mqtt().toSessionSettings(settings.session());
        ConnectService connectService = new ConnectService(
                authentication(decided),
                connectedClients,
                subscribeService,
                publishService,
                sessionSettings,
                sessionMetrics);
        EventLoops loops =
                new EventLoops(settings.mqtt().transport(), settings.mqtt().eventLoopThreads());
        eventLoops = loops;
        MqttServer listening =
                new MqttServer(settings.mqtt().toServerSettings(), loops, Sessions.of(connectService), metrics);
        try {
            listening.start();
        } catch (RuntimeException failure) {
            loops.close();
            throw failure;
        }
        server = listening;
    }

    private Authentication authentication(AnonymousAccess anonymous) {
        List<Authenticator> authenticators = new ArrayList<>();
        authenticators.add(selfCheck);
        authenticators.add(new StoredCredentialsAuthenticator(stores.credentials(), passwordHash));
        if (anonymous == AnonymousAccess.ALLOWED) {
            authenticators.add(new AnonymousAuthenticator(
                    settings.authentication().anonymous().applicationClientPatterns()));
        }
        return new Authentication(
                authenticators, blockingTasks, settings.authentication().maximumPending(), metrics);
    }

    /** The next phase: a connect to what was just opened. */
    StartupPhase selfCheck() {
        return selfCheck;
    }

    /** Whether anonymous clients are let in; false before the start. */
    boolean anonymousAllowed() {
        return anonymousAccess == AnonymousAccess.ALLOWED;
    }

    /** Where clients connect to, as they would write it, by listener; empty unless listening. */
    Map<String, String> urls() {
        Map<String, String> urls = new LinkedHashMap<>();
        boundAddresses()
                .forEach((name, address) ->
                        urls.put(name, Urls.of("tcp", settings.mqtt().bind(), address.getPort())));
        return urls;
    }

    private Map<String, InetSocketAddress> boundAddresses() {
        MqttServer listening = server;
        return listening == null ? Map.of() : listening.boundAddresses();
    }

    private InetSocketAddress firstAddress() {
        return boundAddresses().values().iterator().next();
    }

    @Override
    public void stop() {
        MqttServer listening = server;
        server = null;
        try {
            if (listening != null) {
                listening.stop();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (eventLoops != null) {
                eventLoops.close();
            }
            blockingTasks.shutdownNow();
        }
    }
}

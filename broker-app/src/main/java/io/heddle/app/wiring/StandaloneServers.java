package io.heddle.app.wiring;

import io.heddle.app.nodes.SupervisedNode;
import io.heddle.app.settings.BucketSettings;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.directory.StandaloneException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The servers that the broker starts in the profile {@code standalone}. They start as soon as the settings are known, in parallel with the
 * Spring context; the first start-up phase waits for them. A server whose address is set is external and is not started. Thread-safe.
 */
public final class StandaloneServers
        implements ApplicationListener<ApplicationEnvironmentPreparedEvent>,
                ApplicationContextInitializer<GenericApplicationContext>,
                StartupPhase {
    private static final Duration READY_WITHIN = Duration.ofSeconds(90);
    public static final String POSTGRES_URL = "heddle.postgres.url";
    /** The settings with which a server is external. */
    public static final Map<Server, String> ADDRESS_SETTINGS = Map.of(
            Server.KAFKA, "heddle.kafka.bootstrap-servers",
            Server.REDIS, "heddle.redis.url",
            Server.POSTGRESQL, POSTGRES_URL);

    private final Consumer<String> onGiveUp;
    private final boolean isCommand;
    private final Set<Server> needed;
    private final Object lock = new Object();
    private volatile @Nullable Servers servers;
    private volatile @Nullable DataDisk disk;
    private volatile @Nullable Thread starting;
    private volatile boolean stopped;
    private volatile boolean kafkaIncluded;

    /** @param onGiveUp called with one sentence after a server has crashed too often to be restarted */
    public StandaloneServers(Consumer<String> onGiveUp) {
        this(onGiveUp, false, ADDRESS_SETTINGS.keySet());
    }

    private StandaloneServers(Consumer<String> onGiveUp, boolean isCommand, Set<Server> needed) {
        this.onGiveUp = onGiveUp;
        this.isCommand = isCommand;
        this.needed = needed;
    }

    /** Returns the servers that a command needs: those of the broker that runs on the data directory, or else servers of its own. */
    public static StandaloneServers ofCommand(Set<Server> needed) {
        return new StandaloneServers(_ -> {}, true, needed);
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (!environment.acceptsProfiles(StandaloneSettings.PROFILE)) {
            return;
        }
        List<Server> wanted = new ArrayList<>();
        ADDRESS_SETTINGS.forEach((server, setting) -> {
            if (needed.contains(server) && !environment.containsProperty(setting)) {
                wanted.add(server);
            }
        });
        StandaloneSettings settings =
                Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
        if (wanted.isEmpty()) {
            return;
        }
        Endpoints endpoints = SupervisedNode.isThisProcess()
                ? endpointsOfSupervisor(settings)
                : endpointsOfBroker(settings)
                        .orElseGet(() -> start(settings, wanted).endpoints());
        Map<String, Object> known = addresses(endpoints, wanted);
        DataDisk dataDisk = DataDisk.of(settings.dataDirectory());
        disk = dataDisk;
        BucketSettings buckets =
                Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX + ".buckets", BucketSettings.class);
        if (wanted.contains(Server.KAFKA) && buckets.isShareOfDisk()) {
            known.put("heddle.buckets.maximum-bytes", buckets.shareOf(dataDisk.totalBytes()) + "B");
        }
        environment.getPropertySources().addFirst(new MapPropertySource(SettingOrigin.STANDALONE, known));
    }

    /** A node of {@code ./heddle --nodes} starts no servers: the process that supervises it runs those of all nodes. */
    private static Endpoints endpointsOfSupervisor(StandaloneSettings settings) {
        return Servers.runningEndpoints(settings.dataDirectory())
                .orElseThrow(() -> new StartupException(
                        "the servers on " + settings.dataDirectory()
                                + " do not run any more: start ./heddle --nodes again",
                        null));
    }

    /** A command uses the servers of a broker that runs. A broker does not: the lock of the data directory ends its start. */
    private Optional<Endpoints> endpointsOfBroker(StandaloneSettings settings) {
        return isCommand ? Servers.runningEndpoints(settings.dataDirectory()) : Optional.empty();
    }

    /** Starts the servers under the lock, so that a concurrent stop either finds them or prevents the start. */
    private Servers start(StandaloneSettings settings, List<Server> wanted) {
        starting = Thread.currentThread();
        synchronized (lock) {
            try {
                if (stopped) {
                    throw new StartupException("The start was interrupted", null);
                }
                Servers started = Servers.builder(settings.dataDirectory())
                        .only(
                                wanted.getFirst(),
                                wanted.subList(1, wanted.size()).toArray(Server[]::new))
                        .redisServer(settings.redis())
                        .onGiveUp(onGiveUp)
                        .start();
                servers = started;
                kafkaIncluded = wanted.contains(Server.KAFKA);
                return started;
            } catch (StandaloneException e) {
                throw new StartupException(String.valueOf(e.getMessage()), e);
            } finally {
                starting = null;
            }
        }
    }

    private static Map<String, Object> addresses(Endpoints endpoints, List<Server> wanted) {
        Map<String, Object> addresses = new HashMap<>();
        for (Server server : wanted) {
            switch (server) {
                case KAFKA -> {
                    addresses.put("heddle.kafka.bootstrap-servers", endpoints.kafkaBootstrapServers());
                    endpoints
                            .kafkaSecurity()
                            .forEach((name, value) -> addresses.put("heddle.kafka.properties." + name, value));
                }
                case REDIS -> addresses.put("heddle.redis.url", endpoints.redisUrl());
                case POSTGRESQL -> {
                    addresses.put(POSTGRES_URL, endpoints.postgresUrl());
                    addresses.put("heddle.postgres.user", endpoints.postgresUser());
                    addresses.put("heddle.postgres.password", endpoints.postgresPassword());
                }
            }
        }
        return addresses;
    }

    @Override
    public void initialize(GenericApplicationContext context) {
        context.registerBean(StandaloneServers.class, () -> this);
    }

    /** Returns how often a crashed server was restarted. */
    long restarts() {
        Servers running = servers;
        return running == null ? 0 : running.restarts();
    }

    /**
     * Returns whether this process runs Kafka for itself. The lock of the data directory then keeps other processes from starting it. False
     * in the nodes of {@code ./heddle --nodes}.
     */
    boolean includeKafka() {
        return kafkaIncluded;
    }

    /** Returns the started servers, or null if there are none. */
    public @Nullable Servers servers() {
        return servers;
    }

    /** Returns the disk of the data directory, or null if no server was started. */
    @Nullable
    DataDisk disk() {
        return disk;
    }

    @Override
    public String name() {
        return "Kafka, Redis and PostgreSQL";
    }

    /** Waits until the servers are ready. */
    @Override
    public void start() {
        Servers started = servers;
        if (started == null) {
            return;
        }
        try {
            started.awaitReady(READY_WITHIN);
        } catch (StandaloneException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            // The broker does not stop a phase whose start has not returned.
            stop();
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }

    /** Stops the servers, including any that are starting, and prevents later starts. */
    @Override
    public void stop() {
        stopped = true;
        Thread interrupted = starting;
        if (interrupted != null) {
            interrupted.interrupt();
        }
        Servers running;
        synchronized (lock) {
            running = servers;
        }
        if (running != null) {
            running.close();
        }
    }
}

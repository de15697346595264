package io.heddle.persistence.redis;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.StoreCheck;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.Executions;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The connections to Redis, a single server or a Redis Cluster: one for commands that block and belong on virtual
 * threads, two for scripts, which don't: what fills the queues has one of its own, so that nobody who is served from
 * them stands behind large messages. Thread-safe; {@link #open} runs on the main thread. While Redis is away commands
 * fail at once instead of piling up; the connections come back by themselves. Bounded by the command timeout and by
 * {@value #MAX_WAITING_COMMANDS} commands that wait for an answer on each.
 *
 * <p>Metric: {@code heddle.store.check{store="redis"}}.
 */
public final class RedisServer implements AutoCloseable {
    private static final int MAX_WAITING_COMMANDS = 20_000;
    private static final int THREADS = 2;
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(30);

    private final RedisSettings settings;
    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final RedisClusterCommands<String, String> commands;
    private final RedisClusterAsyncCommands<byte[], byte[]> binaryCommands;
    private final RedisClusterAsyncCommands<byte[], byte[]> fillingCommands;
    private final boolean clustered;
    private final StoreCheck check;
    private volatile boolean closed;

    private RedisServer(
            RedisSettings settings,
            ClientResources resources,
            AbstractRedisClient client,
            RedisClusterCommands<String, String> commands,
            RedisClusterAsyncCommands<byte[], byte[]> binaryCommands,
            RedisClusterAsyncCommands<byte[], byte[]> fillingCommands,
            boolean clustered,
            MeterRegistry registry) {
        this.settings = settings;
        this.resources = resources;
        this.client = client;
        this.commands = commands;
        this.binaryCommands = binaryCommands;
        this.fillingCommands = fillingCommands;
        this.clustered = clustered;
        this.check = new StoreCheck("redis", registry);
    }

    /**
     * Connects and sees that this Redis is one that the broker can rely on.
     *
     * @throws StartupException when it is not: says what to change
     */
    public static RedisServer open(RedisSettings settings, MeterRegistry registry) {
        ClientResources resources = DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .build();
        boolean ready = false;
        try {
            RedisFaults faults = new RedisFaults(settings);
            RedisServer server = isCluster(settings, resources, faults)
                    ? openCluster(settings, resources, faults, registry)
                    : openSingle(settings, resources, faults, registry);
            ready = true;
            return server;
        } finally {
            if (!ready) {
                shutdown(resources);
            }
        }
    }

    /** Asks the first server that answers. */
    private static boolean isCluster(RedisSettings settings, ClientResources resources, RedisFaults faults) {
        RedisClient probe = RedisClient.create(resources);
        probe.setOptions(options(ClientOptions.builder(), settings).build());
        try {
            StartupException last = null;
            for (RedisURI uri : settings.uris()) {
                String address = RedisSettings.address(uri);
                try (StatefulRedisConnection<String, String> connection = probe.connect(uri)) {
                    boolean cluster = info(address, connection.sync()).isClusterNode();
                    if (!cluster && settings.uris().size() > 1) {
                        throw faults.notCluster(address);
                    }
                    return cluster;
                } catch (RedisException e) {
                    last = faults.connecting(address, e);
                }
            }
            throw last == null ? new IllegalStateException("no address in " + settings) : last;
        } finally {
            probe.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static RedisServer openSingle(
            RedisSettings settings, ClientResources resources, RedisFaults faults, MeterRegistry registry) {
        RedisClient client = RedisClient.create(resources, settings.uris().getFirst());
        client.setOptions(options(ClientOptions.builder(), settings).build());
        boolean ready = false;
        try {
            RedisClusterCommands<String, String> commands = client.connect().sync();
            info(settings.address(), commands).verify();
            RedisClusterAsyncCommands<byte[], byte[]> binary =
                    client.connect(ByteArrayCodec.INSTANCE).async();
            RedisClusterAsyncCommands<byte[], byte[]> filling =
                    client.connect(ByteArrayCodec.INSTANCE).async();
            ready = true;
            return new RedisServer(settings, resources, client, commands, binary, filling, false, registry);
        } catch (RedisException e) {
            throw faults.connecting(settings.address(), e);
        } finally {
            if (!ready) {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }

    private static RedisServer openCluster(
            RedisSettings settings, ClientResources resources, RedisFaults faults, MeterRegistry registry) {
        RedisClusterClient client = RedisClusterClient.create(resources, settings.uris());
        ClusterClientOptions.Builder options = ClusterClientOptions.builder();
        options(options, settings);
        // Besides, the client asks again whenever an answer shows that the topology changed.
        client.setOptions(options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .build())
                .build());
        boolean ready = false;
        try {
            StatefulRedisClusterConnection<String, String> connection = client.connect();
            Executions<String> answers = connection.sync().upstream().commands().info();
            for (RedisClusterNode node : answers.nodes()) {
                RedisInfo.parse(RedisSettings.address(node.getUri()), answers.get(node))
                        .verify();
            }
            RedisServer server = new RedisServer(
                    settings,
                    resources,
                    client,
                    connection.sync(),
                    connectToEach(client),
                    connectToEach(client),
                    true,
                    registry);
            server.assertClusterServes();
            ready = true;
            return server;
        } catch (RedisException e) {
            throw faults.connecting(settings.address(), e);
        } finally {
            if (!ready) {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }

    /** With each master: a command for one that is not connected yet would be rejected. */
    private static RedisClusterAsyncCommands<byte[], byte[]> connectToEach(RedisClusterClient client) {
        StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
        connection.sync().upstream().commands().ping();
        return connection.async();
    }

    private static ClientOptions.Builder options(ClientOptions.Builder builder, RedisSettings settings) {
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MAX_WAITING_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.connectTimeout())
                        .keepAlive(true)
                        .build())
                // A feature of one vendor's service that other servers answer with an error.
                .maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }

    private static RedisInfo info(String address, RedisClusterCommands<String, String> commands) {
        commands.ping();
        return RedisInfo.parse(address, commands.info());
    }

    /**
     * From now on, runs this whenever a connection that was lost is there again: the server may have been started anew, and may have
     * forgotten its last seconds. Runs on an I/O thread, which must not be held up.
     */
    public void whenConnectedAgain(Runnable listener) {
        client.addListener(new Reconnection(listener));
    }

    /** Whether this is a Redis Cluster. */
    boolean isClustered() {
        return clustered;
    }

    /**
     * Asks Redis for a sign of life.
     *
     * @throws StoreUnavailableException when there is none within the command timeout, or a Redis Cluster does not serve all slots
     */
    public void check() {
        check.run(() -> {
            try {
                if (closed) {
                    throw new RedisException("the connection is closed");
                }
                commands.ping();
                if (clustered) {
                    assertClusterServes();
                }
            } catch (RedisException e) {
                throw new StoreUnavailableException("Redis at " + settings.address() + " did not answer", e);
            }
        });
    }

    private void assertClusterServes() {
        if (commands.clusterInfo().lines().noneMatch(line -> line.strip().equals("cluster_state:ok"))) {
            throw new RedisException("the Redis Cluster does not serve all slots (its cluster_state is not ok)");
        }
    }

    RedisSettings settings() {
        return settings;
    }

    /** Blocking commands, each with the command timeout; they throw Lettuce's {@link RedisException}. */
    RedisClusterCommands<String, String> commands() {
        return commands;
    }

    /** Commands for bytes that do not block; they fail with Lettuce's {@link RedisException}, after the command timeout at the latest. */
    RedisClusterAsyncCommands<byte[], byte[]> binaryCommands() {
        return binaryCommands;
    }

    /** The same over the connection that only what fills the queues goes over. */
    RedisClusterAsyncCommands<byte[], byte[]> fillingCommands() {
        return fillingCommands;
    }

    /** Closes the connections; what was asked last gets no answer. */
    @Override
    public void close() {
        closed = true;
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        shutdown(resources);
    }

    private static void shutdown(ClientResources resources) {
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

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
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The connections to Redis, a single server or a Redis Cluster. One is for commands that block, which belong on virtual threads. Two are
 * for scripts and do not block: the calls that fill the queues have a connection of their own, so that clients that read from the queues
 * are not delayed by large messages. Thread-safe; {@link #open} runs on the main thread. While Redis is unavailable, commands fail at once
 * instead of being queued, and the connections reconnect by themselves. Bounded by the command timeout and by {@value
 * #MAX_PENDING_COMMANDS} pending commands on each connection.
 *
 * <p>Metric: {@code heddle.store.check{store="redis"}}.
 */
public final class RedisServer implements AutoCloseable {
    private static final int MAX_PENDING_COMMANDS = 20_000;
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
     * Connects and verifies that the broker can rely on this Redis.
     *
     * @throws StartupException when Redis is not usable; its message tells the operator what to change
     */
    public static RedisServer open(RedisSettings settings, MeterRegistry registry) {
        ClientResources resources = DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .build();
        boolean ready = false;
        try {
            RedisFaults faults = new RedisFaults(settings);
            RedisInfo info = firstAnswer(settings, resources, faults);
            RedisServer server = info.isClusterNode()
                    ? openCluster(settings, resources, faults, registry)
                    : openSingle(settings, resources, faults, info, registry);
            ready = true;
            return server;
        } finally {
            if (!ready) {
                shutdown(resources);
            }
        }
    }

    /**
     * Describes the first server that answers. A server that has just started may drop a connection: unlike those of the broker, the
     * commands of this connection wait until it is restored.
     */
    private static RedisInfo firstAnswer(RedisSettings settings, ClientResources resources, RedisFaults faults) {
        RedisClient probe = RedisClient.create(resources);
        probe.setOptions(options(ClientOptions.builder(), settings)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.ACCEPT_COMMANDS)
                .build());
        try {
            StartupException last = null;
            for (RedisURI uri : settings.uris()) {
                String address = RedisSettings.address(uri);
                try (StatefulRedisConnection<String, String> connection = probe.connect(uri)) {
                    RedisInfo info = RedisInfo.parse(address, connection.sync().info());
                    if (!info.isClusterNode() && settings.uris().size() > 1) {
                        throw faults.notCluster(address);
                    }
                    return info;
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
            RedisSettings settings,
            ClientResources resources,
            RedisFaults faults,
            RedisInfo info,
            MeterRegistry registry) {
        info.verify();
        RedisClient client = RedisClient.create(resources, settings.uris().getFirst());
        client.setOptions(options(ClientOptions.builder(), settings).build());
        boolean ready = false;
        try {
            RedisClusterCommands<String, String> commands = client.connect().sync();
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
        // The client also refreshes the topology whenever an answer shows that it changed.
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

    /** Connects to each master, because a command for a master without a connection would be rejected. */
    private static RedisClusterAsyncCommands<byte[], byte[]> connectToEach(RedisClusterClient client) {
        StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
        connection.sync().upstream().commands().ping();
        return connection.async();
    }

    private static ClientOptions.Builder options(ClientOptions.Builder builder, RedisSettings settings) {
        Path trustStore = settings.trustStore();
        if (trustStore != null) {
            builder.sslOptions(RedisTrust.read(trustStore));
        }
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MAX_PENDING_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(settings.connectTimeout())
                        .keepAlive(true)
                        .build())
                // A vendor's extension that other servers answer with an error.
                .maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }

    /**
     * Registers a listener for restored connections: the server may have restarted and lost its last seconds of data. The listener runs on
     * an I/O thread and must not block.
     */
    public void onReconnected(Runnable listener) {
        client.addListener(new Reconnection(listener));
    }

    boolean isClustered() {
        return clustered;
    }

    /** Describes the server, or the primaries of a Redis Cluster. Blocks; fails with an exception of the client. */
    List<RedisInfo> infos() {
        if (commands instanceof RedisAdvancedClusterCommands<String, String> cluster) {
            Executions<String> answers = cluster.upstream().commands().info();
            return answers.nodes().stream()
                    .map(node -> RedisInfo.parse(RedisSettings.address(node.getUri()), answers.get(node)))
                    .toList();
        }
        return List.of(RedisInfo.parse(RedisSettings.address(settings.uris().getFirst()), commands.info()));
    }

    /**
     * Checks that Redis answers.
     *
     * @throws StoreUnavailableException when Redis does not answer within the command timeout, or a Redis Cluster does not serve all slots
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
                throw StoreUnavailableException.redis("Redis at " + settings.address() + " did not answer", e);
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

    /** Returns blocking commands, limited by the command timeout, which throw Lettuce's {@link RedisException}. */
    RedisClusterCommands<String, String> commands() {
        return commands;
    }

    /** Returns commands that do not block and fail with Lettuce's {@link RedisException}, after the command timeout at the latest. */
    RedisClusterAsyncCommands<byte[], byte[]> binaryCommands() {
        return binaryCommands;
    }

    /** Returns the same commands on the connection that fills the queues. */
    RedisClusterAsyncCommands<byte[], byte[]> fillingCommands() {
        return fillingCommands;
    }

    /** Closes the connections without waiting for pending answers. */
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

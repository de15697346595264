package io.heddle.persistence.redis;

import io.heddle.persistence.TestSettings;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.testkit.RedisPrograms;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Redis on which the adapters must pass their contracts: the bundled one and each one on the machine, as a single server and as a cluster.
 * Started at the first use and stopped with the JVM.
 */
final class RedisUnderTest {
    static final int BUCKETS = 16;
    static final UUID LOG = new UUID(7, 8);

    private static final int MASTERS = 3;
    private static final List<RedisUnderTest> ALL = find();

    private final String name;
    private final @Nullable Path program;
    private final int nodes;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private @Nullable RedisServer server;
    private @Nullable RedisBuckets buckets;

    private RedisUnderTest(String name, @Nullable Path program, int nodes) {
        this.name = name;
        this.program = program;
        this.nodes = nodes;
    }

    /** Returns all of them, first the bundled Redis as a single server. */
    static List<RedisUnderTest> all() {
        return ALL;
    }

    /** Returns the bundled Redis as a single server. */
    static RedisUnderTest bundled() {
        return ALL.getFirst();
    }

    private static List<RedisUnderTest> find() {
        List<RedisUnderTest> all = new ArrayList<>();
        all.add(new RedisUnderTest("bundled", null, 1));
        all.add(new RedisUnderTest("bundled, cluster", null, MASTERS));
        for (Path program : RedisPrograms.found()) {
            all.add(new RedisUnderTest(program.toString(), program, 1));
            all.add(new RedisUnderTest(program + ", cluster", program, MASTERS));
        }
        return all;
    }

    /** Connects to this Redis. */
    synchronized RedisServer server() {
        if (server == null) {
            server = RedisServer.open(TestSettings.redis(start()), registry);
        }
        return server;
    }

    /** Returns the buckets in this Redis. */
    synchronized RedisBuckets buckets() {
        if (buckets == null) {
            buckets = new RedisBuckets(server(), BUCKETS, LOG, registry);
        }
        return buckets;
    }

    SimpleMeterRegistry registry() {
        return registry;
    }

    private String start() {
        try {
            Path directory = Files.createTempDirectory("heddle-redis-under-test-");
            Servers.Builder builder = Servers.builder(directory)
                    .only(Server.REDIS)
                    .redisNodes(nodes)
                    .tuning(Tuning.TESTS);
            Servers servers = (program == null ? builder : builder.redisServer(program.toString())).start();
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform()
                            .name("redis-under-test-stop")
                            .unstarted(() -> stop(servers, directory)));
            servers.awaitReady(Duration.ofSeconds(60));
            return servers.endpoints().redisUrl();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while Redis was starting", e);
        }
    }

    private static void stop(Servers servers, Path directory) {
        servers.close();
        TestServers.deleteTree(directory);
    }

    @Override
    public String toString() {
        return name;
    }
}

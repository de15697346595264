package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One Redis node with an append-only file; a master of a Redis Cluster when there are several. */
final class RedisProcess implements ServerProcess {
    /** Named from the working directory: the whole name may have characters that mean something in a settings file. */
    private static final String FILES = "data";

    private final int index;
    private final int port;
    private final boolean cluster;
    private final String password;
    private final Path executable;
    private final DataDirectory data;
    private volatile @Nullable FirstAnswer firstAnswer;

    /** The task for the first answer. */
    @FunctionalInterface
    interface FirstAnswer {
        void done() throws IOException;
    }

    RedisProcess(int index, int port, boolean cluster, String password, Path executable, DataDirectory data) {
        this.index = index;
        this.port = port;
        this.cluster = cluster;
        this.password = password;
        this.executable = executable;
        this.data = data;
    }

    @Override
    public Server server() {
        return Server.REDIS;
    }

    @Override
    public int index() {
        return index;
    }

    int port() {
        return port;
    }

    @Override
    public GuardedProcess.Launch prepare() throws IOException {
        Path directory = data.directory("redis", Integer.toString(index));
        Path settings = directory.resolve("redis.conf");
        data.directory("redis", Integer.toString(index), FILES);
        PrivateFiles.write(settings, settings());
        return new GuardedProcess.Launch(
                name(), List.of(executable.toString(), settings.toString()), directory, Map.of(), "TERM");
    }

    private String settings() {
        String common = """
                # Written at every start.
                bind 127.0.0.1
                port %d
                requirepass %s
                masterauth %s
                dir %s
                daemonize no
                appendonly yes
                appendfsync everysec
                save ""
                maxmemory-policy noeviction
                loglevel notice
                """.formatted(port, password, password, FILES);
        // Without replicas there is nothing to promote; a quick timeout only shows a dead master sooner.
        return cluster ? common + """
                cluster-enabled yes
                cluster-config-file nodes.conf
                cluster-node-timeout 3000
                cluster-require-full-coverage no
                """ : common;
    }

    /** Before the first start: something to do when it answers first; done again while it fails. */
    void onFirstAnswer(FirstAnswer task) {
        firstAnswer = task;
    }

    @Override
    public boolean answers(Duration timeout) {
        try (RedisConnection connection = connect(timeout)) {
            return ping(connection)
                    && (!cluster || connection.ask("CLUSTER", "INFO").contains("cluster_state:ok"));
        } catch (IOException notYet) {
            return false;
        }
    }

    /** After an error of a background fsync it does so until it is restarted. */
    @Override
    public boolean refusesWrites(Duration timeout) {
        try (RedisConnection connection = connect(timeout)) {
            return connection.ask("INFO", "persistence").contains("aof_last_write_status:err");
        } catch (IOException doesNotAnswer) {
            return false;
        }
    }

    /** Whether it answers at all; a cluster node does so before it belongs to a cluster. */
    boolean responds(Duration timeout) {
        try (RedisConnection connection = connect(timeout)) {
            return ping(connection);
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean ping(RedisConnection connection) throws IOException {
        if (!connection.ask("PING").equals("PONG")) {
            return false;
        }
        FirstAnswer task = firstAnswer;
        if (task != null) {
            task.done();
            firstAnswer = null;
        }
        return true;
    }

    RedisConnection connect(Duration timeout) throws IOException {
        return RedisConnection.open(port, password, timeout);
    }
}

package io.heddle.standalone;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.DiskSpace;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.directory.WriteErrorMessage;
import io.heddle.standalone.process.GuardedProcess;
import io.heddle.standalone.process.LeftoverProcesses;
import io.heddle.standalone.process.SupervisedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka, Redis and PostgreSQL as child processes on one data directory, from {@link Builder#start} to {@link #close}.
 *
 * <p>Thread-safe. Owns the data directory's lock and one supervising thread per child. A caller closes its connections before it closes the
 * servers. No server uses another one, so all are stopped in parallel, each gracefully and within six seconds; one after the other would
 * exceed the time limit of a stop.
 */
public final class Servers implements AutoCloseable {
    /**
     * The time for a graceful stop of each server. The training run of the start caches extends it with the system property
     * {@code heddle.standalone.stop-seconds}, because Kafka writes its cache on exit.
     */
    public static final Duration STOP_TIMEOUT = GuardedProcess.STOP_TIMEOUT;

    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    private final DataDirectory data;
    private final Endpoints endpoints;
    private final List<SupervisedProcess> processes;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch prepared = new CountDownLatch(1);
    private volatile @Nullable StandaloneException failure;
    private volatile @Nullable Thread preparation;

    private Servers(DataDirectory data, Endpoints endpoints, List<SupervisedProcess> processes) {
        this.data = data;
        this.endpoints = endpoints;
        this.processes = List.copyOf(processes);
    }

    /** @param dataDirectory holds all files of the servers; created if necessary */
    public static Builder builder(Path dataDirectory) {
        return new Builder(dataDirectory);
    }

    /**
     * The servers that a broker in any process is running on this data directory. Empty if none is. Does not take the directory's lock.
     */
    public static Optional<Endpoints> runningEndpoints(Path dataDirectory) {
        return new EndpointsFile(dataDirectory).read();
    }

    /** The endpoints, which are known before the servers are ready and do not change when children are restarted. */
    public Endpoints endpoints() {
        return endpoints;
    }

    public DataDirectory dataDirectory() {
        return data;
    }

    /** All requested children: nodes of Kafka, nodes of Redis, PostgreSQL. */
    public List<SupervisedProcess> processes() {
        return processes;
    }

    /** The child that runs a node. Throws IllegalArgumentException if there is none. */
    public SupervisedProcess process(Server server, int index) {
        String name = ServerNode.name(server, index);
        for (SupervisedProcess process : processes) {
            if (process.name().equals(name)) {
                return process;
            }
        }
        throw new IllegalArgumentException("There is no " + server.displayName() + " node " + index);
    }

    /** Waits until all servers are ready. Throws StandaloneException if a server cannot be started, or after the timeout. */
    public void awaitReady(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean inTime = prepared.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        StandaloneException cause = failure;
        if (cause != null) {
            throw cause;
        }
        for (SupervisedProcess process : processes) {
            inTime = inTime && process.awaitReady(Duration.ofNanos(deadline - System.nanoTime()));
            if (!inTime) {
                throw new StandaloneException(process.displayName() + " is not ready after " + timeout.toSeconds()
                        + " s: see its log in " + data.path().resolve(DataDirectory.LOG_FOLDER) + ".");
            }
        }
    }

    /** The number of restarts of all children after unexpected exits. */
    public long restarts() {
        return processes.stream().mapToLong(SupervisedProcess::restarts).sum();
    }

    /** Stops all servers in parallel within seven seconds, and releases the data directory. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing.countDown();
        // Cancels a running preparation; the processes it has started are stopped below.
        Thread running = preparation;
        if (running != null) {
            running.interrupt();
        }
        try {
            prepared.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            new EndpointsFile(data.path()).delete();
        } catch (IOException e) {
            LOG.warn("Cannot delete the endpoints file; it is ignored once this process has exited: {}", e.toString());
        }
        stopAll();
        data.close();
    }

    private void stopAll() {
        long started = System.nanoTime();
        LOG.info("Stopping the servers");
        List<Thread> stopping = new ArrayList<>();
        for (SupervisedProcess process : processes) {
            stopping.add(Thread.ofVirtual().name("heddle-standalone-stop").start(process::stop));
        }
        for (Thread thread : stopping) {
            joinUninterruptibly(thread);
        }
        LOG.info(
                "The servers have stopped: tookMillis={}",
                Duration.ofNanos(System.nanoTime() - started).toMillis());
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Unpacks binaries, starts the processes and forms the Redis Cluster, on a thread of its own. */
    private void prepare(Binaries binaries, Set<Server> wanted, List<RedisProcess> redis) {
        try {
            binaries.unpack(wanted);
            if (closing.getCount() > 0) {
                processes.forEach(SupervisedProcess::start);
            }
            if (redis.size() > 1) {
                formCluster(redis);
            }
        } catch (StandaloneException e) {
            failure = e;
        } catch (IOException e) {
            failure = new StandaloneException("The servers cannot be started: " + e + ".", e);
        } catch (InterruptedException e) {
            failure = new StandaloneException("The start of the servers was interrupted.", e);
        } catch (RuntimeException e) {
            failure = new StandaloneException("The servers cannot be started: " + e + ".", e);
        } finally {
            prepared.countDown();
        }
    }

    private void formCluster(List<RedisProcess> redis) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        do {
            if (redis.stream().allMatch(node -> node.replies(Duration.ofSeconds(1)))) {
                new RedisCluster(redis).form();
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new StandaloneException("The Redis nodes do not answer after " + READY_TIMEOUT.toSeconds()
                        + " s: see their logs in " + data.path().resolve(DataDirectory.LOG_FOLDER) + ".");
            }
        } while (!closing.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** The options of a start. Not thread-safe. */
    public static final class Builder {
        private final Path dataDirectory;
        private int kafkaNodes = 1;
        private int redisNodes = 1;
        private String advertisedHost = "127.0.0.1";
        private List<Integer> advertisedPorts = List.of();
        private Tuning tuning = Tuning.SERVING;
        private Set<Server> wanted = EnumSet.allOf(Server.class);
        private String redisServer = RedisChoice.BUNDLED;
        private Consumer<String> giveUpListener = message -> {};
        private DiskSpace.UsableBytes usableBytes = DiskSpace.UsableBytes.real();

        private Builder(Path dataDirectory) {
            this.dataDirectory = dataDirectory;
        }

        /** Default 1. The first start on a data directory fixes the number. */
        public Builder kafkaNodes(int nodes) {
            kafkaNodes = atLeastOne(nodes);
            return this;
        }

        /**
         * The loopback ports, one per Kafka node, that the nodes advertise instead of their own, for tests with a relay in between.
         * {@link Endpoints} still contains the nodes' own ports.
         */
        public Builder kafkaAdvertisedPorts(List<Integer> ports) {
            advertisedPorts = List.copyOf(ports);
            return this;
        }

        /**
         * The name that the Kafka nodes advertise instead of 127.0.0.1, for tests in which each process resolves it to relays of its own.
         * {@link Endpoints} still contains 127.0.0.1.
         */
        public Builder kafkaAdvertisedHost(String host) {
            advertisedHost = host;
            return this;
        }

        /** Default 1; more nodes form a Redis Cluster of masters. The first start on a data directory fixes the number. */
        public Builder redisNodes(int nodes) {
            redisNodes = atLeastOne(nodes);
            return this;
        }

        /** Default {@link Tuning#SERVING}. */
        public Builder tuning(Tuning tuning) {
            this.tuning = tuning;
            return this;
        }

        /** Starts only these servers. Default: all. */
        public Builder only(Server first, Server... more) {
            wanted = EnumSet.of(first, more);
            return this;
        }

        /**
         * The Redis server to run: {@code bundled} (default), {@code auto} for a newer redis-server or valkey-server on the PATH, or the
         * path of such a program.
         */
        public Builder redisServer(String program) {
            redisServer = program;
            return this;
        }

        /** Called with one sentence when a child is given up after too many exits; on the child's supervising thread. */
        public Builder onGiveUp(Consumer<String> listener) {
            giveUpListener = listener;
            return this;
        }

        /** Replaces the free space that the file system reports. */
        Builder usableBytes(DiskSpace.UsableBytes bytes) {
            usableBytes = bytes;
            return this;
        }

        private static int atLeastOne(int nodes) {
            if (nodes < 1) {
                throw new IllegalArgumentException("A server has at least one node, not " + nodes);
            }
            return nodes;
        }

        /**
         * Stops children of an earlier broker, starts the servers in the background, and returns when their endpoints are known, usually
         * within milliseconds. Throws StandaloneException if the data directory, the home or the platform cannot be used.
         */
        public Servers start() {
            if (!advertisedPorts.isEmpty() && advertisedPorts.size() != kafkaNodes) {
                throw new IllegalArgumentException(
                        advertisedPorts.size() + " advertised ports are given for " + kafkaNodes + " Kafka nodes");
            }
            StandaloneHome files = StandaloneHome.locate();
            Platform platform = Platform.current();
            DataDirectory data = DataDirectory.open(dataDirectory);
            boolean started = false;
            try {
                Servers servers = start(data, files, platform);
                started = true;
                return servers;
            } catch (IOException e) {
                throw WriteErrorMessage.unwritable(data.path(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StandaloneException("The start of the servers was interrupted.", e);
            } finally {
                if (!started) {
                    data.close();
                }
            }
        }

        private Servers start(DataDirectory data, StandaloneHome files, Platform platform)
                throws IOException, InterruptedException {
            LeftoverProcesses.stop(data.directory("run"));
            RedisChoice redis = new RedisChoice(
                    data.path(),
                    files.redisVersion(platform),
                    redisServer,
                    System.getenv().getOrDefault("PATH", ""));
            RedisChoice.@Nullable Candidate chosen = wanted.contains(Server.REDIS) ? redis.choose() : null;
            Binaries binaries = new Binaries(
                    files, platform, data.directory("bin"), chosen == null ? null : chosen.program(), usableBytes);
            ServerPlan.Request request =
                    new ServerPlan.Request(wanted, kafkaNodes, redisNodes, advertisedHost, advertisedPorts, tuning);
            ServerPlan plan = ServerPlan.create(request, data, files, binaries);
            if (chosen != null) {
                // Only after it has started: one that does not start has written nothing, so the earlier version can
                // still run.
                RedisVersion version = chosen.version();
                plan.redis().forEach(node -> node.onFirstReply(() -> redis.store(version)));
            }
            new EndpointsFile(data.path()).write(plan.endpoints());
            DiskSpace disk = new DiskSpace(data.path(), usableBytes);
            Servers servers = new Servers(
                    data,
                    plan.endpoints(),
                    plan.servers().stream()
                            .map(server -> new SupervisedProcess(server, data, disk, giveUpListener, System::nanoTime))
                            .toList());
            Thread preparation = Thread.ofPlatform()
                    .daemon()
                    .name("heddle-standalone-start")
                    .unstarted(() -> servers.prepare(binaries, wanted, plan.redis()));
            servers.preparation = preparation;
            preparation.start();
            return servers;
        }
    }
}

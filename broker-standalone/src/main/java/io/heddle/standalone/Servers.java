package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
 * <p>Thread-safe. Owns the data directory's lock and one supervising thread per child. Whoever uses the servers closes what it
 * has open there before it closes them: they are stopped all at once, each in its own orderly way, for none of them uses another,
 * and each may take its six seconds, which one after the other would be more than a stop may last.
 */
public final class Servers implements AutoCloseable {
    /**
     * How long each server may take to stop by itself. Only the launcher makes it longer, with the system property {@code
     * heddle.standalone.stop-seconds}, when it records a start, because Kafka writes its record while it stops.
     */
    public static final Duration STOP_BOUND = GuardedProcess.STOP_BOUND;

    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    private final DataDirectory data;
    private final Endpoints endpoints;
    private final List<SupervisedProcess> processes;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch prepared = new CountDownLatch(1);
    private volatile @Nullable StandaloneException failure;
    private volatile @Nullable Thread preparing;

    private Servers(DataDirectory data, Endpoints endpoints, List<SupervisedProcess> processes) {
        this.data = data;
        this.endpoints = endpoints;
        this.processes = List.copyOf(processes);
    }

    /** @param dataDirectory created if need be; everything the servers keep is below it */
    public static Builder builder(Path dataDirectory) {
        return new Builder(dataDirectory);
    }

    /** Where the servers are, known before they are ready and the same through all restarts of children. */
    public Endpoints endpoints() {
        return endpoints;
    }

    public DataDirectory dataDirectory() {
        return data;
    }

    /** All children: Kafka's nodes, Redis' nodes, PostgreSQL; only those asked for. */
    public List<SupervisedProcess> processes() {
        return processes;
    }

    /** One child. Throws IllegalArgumentException when there is none such. */
    public SupervisedProcess process(Server server, int index) {
        for (SupervisedProcess process : processes) {
            if (process.server() == server && process.index() == index) {
                return process;
            }
        }
        throw new IllegalArgumentException("There is no " + server.displayName() + " node " + index);
    }

    /** Waits until all servers answer in their own protocol. Throws StandaloneException when one cannot be started, or the time is over. */
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
                        + " s: its log is in " + data.path().resolve("log") + ".");
            }
        }
    }

    /** How often children died and were started again, all together. */
    public long restarts() {
        return processes.stream().mapToLong(SupervisedProcess::restarts).sum();
    }

    /** Stops all servers at once, each in order, within seven seconds, and releases the data directory. Harmless when repeated. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closing.countDown();
        // A preparation under way is cut short; what it has started is stopped here.
        Thread preparation = preparing;
        if (preparation != null) {
            preparation.interrupt();
        }
        try {
            prepared.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            data.withdrawEndpoints();
        } catch (IOException e) {
            LOG.warn("The file with the endpoints stays in {}: {}", data.path(), e.toString());
        }
        stopAll();
        data.close();
    }

    private void stopAll() {
        long began = System.nanoTime();
        LOG.info("Stopping the servers");
        List<Thread> stopping = new ArrayList<>();
        for (SupervisedProcess process : processes) {
            stopping.add(Thread.ofVirtual().name("heddle-standalone-stop").start(process::stop));
        }
        for (Thread thread : stopping) {
            joinUninterruptibly(thread);
        }
        LOG.info(
                "The servers have stopped after {} ms",
                Duration.ofNanos(System.nanoTime() - began).toMillis());
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

    /** Everything between the moment the endpoints are known and the first fork, and what follows it. On a thread of its own. */
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
        long deadline = System.nanoTime() + FIRST_ANSWER.toNanos();
        do {
            if (redis.stream().allMatch(node -> node.responds(Duration.ofSeconds(1)))) {
                new RedisCluster(redis).form();
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new StandaloneException("The Redis nodes do not answer after " + FIRST_ANSWER.toSeconds()
                        + " s: their logs are in " + data.path().resolve("log") + ".");
            }
        } while (!closing.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** What to start. Not thread-safe. */
    public static final class Builder {
        private final Path dataDirectory;
        private int kafkaNodes = 1;
        private int redisNodes = 1;
        private List<Integer> advertisedPorts = List.of();
        private Tuning tuning = Tuning.SERVING;
        private Set<Server> wanted = EnumSet.allOf(Server.class);
        private @Nullable StandaloneHome home;
        private String redisServer = RedisChoice.BUNDLED;
        private Consumer<String> giveUpListener = message -> {};
        private DiskRoom.UsableBytes usableBytes = DiskRoom.UsableBytes.real();

        private Builder(Path dataDirectory) {
            this.dataDirectory = dataDirectory;
        }

        /** Default 1. Fixed at the data directory's first start. */
        public Builder kafkaNodes(int nodes) {
            kafkaNodes = atLeastOne(nodes);
            return this;
        }

        /**
         * Loopback ports, one per Kafka node, that the nodes tell clients to connect to in place of their own, for tests
         * that put something between. {@link Endpoints} names the nodes' own ports all the same.
         */
        public Builder kafkaAdvertisedPorts(List<Integer> ports) {
            advertisedPorts = List.copyOf(ports);
            return this;
        }

        /** Default 1; more make a Redis Cluster of that many masters. Fixed at the data directory's first start. */
        public Builder redisNodes(int nodes) {
            redisNodes = atLeastOne(nodes);
            return this;
        }

        /** Default {@link Tuning#SERVING}. */
        public Builder tuning(Tuning tuning) {
            this.tuning = tuning;
            return this;
        }

        /** Starts only these; default all. */
        public Builder only(Server first, Server... more) {
            wanted = EnumSet.of(first, more);
            return this;
        }

        /** Default {@link StandaloneHome#locate}. */
        public Builder home(StandaloneHome home) {
            this.home = home;
            return this;
        }

        /**
         * The Redis that runs: {@code bundled}, which is the default; {@code auto}, a newer redis-server or valkey-server on the
         * PATH if there is one; or the path of such a program.
         */
        public Builder redisServer(String which) {
            redisServer = which;
            return this;
        }

        /** Called with one sentence when a child died too often and is not started again; on that child's thread. */
        public Builder onGiveUp(Consumer<String> listener) {
            giveUpListener = listener;
            return this;
        }

        /** The free space of the disk, in place of what the file system says. */
        Builder usableBytes(DiskRoom.UsableBytes bytes) {
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
         * Begins to start the servers and returns as soon as their endpoints are known, usually within some
         * milliseconds; children that an earlier broker left behind are stopped first. Throws StandaloneException when
         * the data directory, the home or the platform will not do.
         */
        public Servers start() {
            if (!advertisedPorts.isEmpty() && advertisedPorts.size() != kafkaNodes) {
                throw new IllegalArgumentException(
                        advertisedPorts.size() + " advertised ports are given for " + kafkaNodes + " Kafka nodes");
            }
            StandaloneHome files = home == null ? StandaloneHome.locate() : home;
            Platform platform = Platform.current();
            DataDirectory data = DataDirectory.open(dataDirectory);
            boolean started = false;
            try {
                Servers servers = start(data, files, platform);
                started = true;
                return servers;
            } catch (IOException e) {
                throw new StandaloneException(
                        WriteErrorMessage.sentence("The data directory " + data.path(), data.path(), e) + ".", e);
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
            ServerPlan.Order order = new ServerPlan.Order(wanted, kafkaNodes, redisNodes, advertisedPorts, tuning);
            ServerPlan plan = ServerPlan.draw(order, data, files, binaries);
            if (chosen != null) {
                // Not before: one that does not start has written nothing, and the one before it may run again.
                RedisVersion version = chosen.version();
                plan.redis().forEach(node -> node.onFirstAnswer(() -> redis.remember(version)));
            }
            data.publish(plan.endpoints());
            DiskRoom room = new DiskRoom(data.path(), usableBytes);
            Servers servers = new Servers(
                    data,
                    plan.endpoints(),
                    plan.servers().stream()
                            .map(server -> new SupervisedProcess(server, data, room, giveUpListener, System::nanoTime))
                            .toList());
            Thread preparing = Thread.ofPlatform()
                    .daemon()
                    .name("heddle-standalone-start")
                    .unstarted(() -> servers.prepare(binaries, order.wanted(), plan.redis()));
            servers.preparing = preparing;
            preparing.start();
            return servers;
        }
    }
}

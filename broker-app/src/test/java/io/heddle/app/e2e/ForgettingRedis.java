package io.heddle.app.e2e;

import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.heddle.standalone.testkit.TestServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A Redis that loses its last writes on request, as after a power failure: the test truncates the append-only file in the middle of
 * a command and restarts Redis. {@code kill -9} alone would lose nothing, since the operating system keeps written data. One test
 * thread.
 */
final class ForgettingRedis implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(2);
    /** Fewer bytes than the shortest command. */
    private static final int PART_OF_A_COMMAND = 5;

    private final Path directory;
    private final Servers servers;
    private final SupervisedProcess process;
    private final RedisClient client;

    private ForgettingRedis(Path directory, Servers servers) {
        this.directory = directory;
        this.servers = servers;
        this.process = servers.process(Server.REDIS, 0);
        this.client = RedisClient.create(url());
    }

    static ForgettingRedis start() throws Exception {
        Path directory = Files.createTempDirectory("heddle-forgetting-redis-");
        Servers servers = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .start();
        servers.awaitReady(READY);
        return new ForgettingRedis(directory, servers);
    }

    String url() {
        return servers.endpoints().redisUrl();
    }

    <T> T ask(Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        }
    }

    /** Returns the length of the append-only file once it has all writes so far. */
    long written() throws IOException {
        Soon.until(() -> ask(commands -> commands.info("persistence"))
                .lines()
                .anyMatch(line -> line.strip().equals("aof_buffer_length:0")));
        return Files.size(file());
    }

    /** Newer servers keep several files in a folder; one of them grows. */
    private Path file() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".aof"))
                    .filter(file -> !file.getFileName().toString().contains(".base."))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills Redis, truncates its file to this length, and restarts it. */
    void forget(long length) throws Exception {
        Soon.until(() -> Files.size(file()) > length + PART_OF_A_COMMAND);
        process.crash();
        try (FileChannel file = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            if (file.size() <= length + PART_OF_A_COMMAND) {
                throw new AssertionError("nothing was written since");
            }
            file.truncate(length + PART_OF_A_COMMAND);
        }
        process.start();
        servers.awaitReady(READY);
    }

    @Override
    public void close() {
        client.shutdown();
        servers.close();
        TestServers.deleteTree(directory);
    }
}

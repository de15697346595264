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
 * A Redis of its own that a test has lose its last writes, as one does whose machine loses power: its append-only file is cut, in the
 * middle of a command, and it starts again on what is left. A kill alone would lose nothing, for what was written is with the operating
 * system. One test thread.
 */
final class ForgettingRedis implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(2);
    /** Less than the shortest command. */
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

    /** Answers what a command answers. */
    <T> T ask(Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        }
    }

    /** How long the file is with all that was written until now. */
    long written() throws IOException {
        Soon.until(() -> ask(commands -> commands.info("persistence"))
                .lines()
                .anyMatch(line -> line.strip().equals("aof_buffer_length:0")));
        return Files.size(file());
    }

    /** Newer servers have several files in a folder, of which one grows. */
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

    /** Dies, has lost what was written behind this length, and is there again. */
    void forget(long length) throws Exception {
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

package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.directory.DataDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is a socket that replies to AUTH and PING as Redis does. */
class RedisProcessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final AtomicInteger answered = new AtomicInteger();

    /** Serves each client on a thread of its own, so that a client that stays or fails concerns no other client. */
    private static final class FakeRedis implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final CompletableFuture<Void> accepting =
                CompletableFuture.runAsync(this::accept, Thread::startVirtualThread);

        FakeRedis() throws IOException {}

        int port() {
            return listener.getLocalPort();
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    Socket client = listener.accept();
                    Thread.ofVirtual().start(() -> answer(client));
                } catch (IOException closed) {
                    return;
                }
            }
        }

        private static void answer(Socket client) {
            try (client;
                    BufferedReader commands = new BufferedReader(
                            new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
                for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                    if (line.equals("secret") || line.equals("PING")) {
                        String answer = line.equals("PING") ? "+PONG\r\n" : "+OK\r\n";
                        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    }
                }
            } catch (IOException disconnected) {
                return;
            }
        }

        /** Waits for the accepting thread: a closed listener may still accept a connection for it. */
        @Override
        public void close() throws IOException {
            listener.close();
            accepting.join();
        }
    }

    @Test
    void firstReplyTaskRunsAndIsRetriedIfItFails() throws Exception {
        try (DataDirectory data = DataDirectory.open(directory.resolve("data"))) {
            RedisProcess redis;
            try (FakeRedis server = new FakeRedis()) {
                redis = new RedisProcess(0, server.port(), false, "secret", Path.of("redis-server"), data);
                redis.onFirstReply(() -> {
                    if (answered.incrementAndGet() == 1) {
                        throw new IOException("cannot be written yet");
                    }
                });
                assertThat(answered).hasValue(0);

                assertThat(redis.isReady(TIMEOUT)).isFalse();
                assertThat(redis.isReady(TIMEOUT)).isTrue();
                assertThat(redis.replies(TIMEOUT)).isTrue();
                assertThat(answered).hasValue(2);
            }
            assertThat(redis.isReady(TIMEOUT)).isFalse();
        }
    }

    @Test
    void firstReplyTaskDoesNotRunWithoutAReply() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (DataDirectory data = DataDirectory.open(directory.resolve("data"))) {
            RedisProcess redis = new RedisProcess(0, port, false, "secret", Path.of("redis-server"), data);
            redis.onFirstReply(answered::incrementAndGet);

            assertThat(redis.isReady(TIMEOUT)).isFalse();
            assertThat(answered).hasValue(0);
        }
    }
}

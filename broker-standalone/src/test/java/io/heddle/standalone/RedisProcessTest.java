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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server is a socket that replies to AUTH and PING as Redis does. */
class RedisProcessTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final AtomicInteger answered = new AtomicInteger();

    private static void serve(ServerSocket server) {
        try {
            while (true) {
                try (Socket client = server.accept();
                        BufferedReader commands = new BufferedReader(
                                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
                    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                        if (line.equals("secret") || line.equals("PING")) {
                            String answer = line.equals("PING") ? "+PONG\r\n" : "+OK\r\n";
                            client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                        }
                    }
                }
            }
        } catch (IOException _) {
            // The test has closed it.
        }
    }

    @Test
    void firstReplyTaskRunsAndIsRetriedIfItFails() throws Exception {
        try (DataDirectory data = DataDirectory.open(directory.resolve("data"))) {
            RedisProcess redis;
            try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
                redis = new RedisProcess(0, server.getLocalPort(), false, "secret", Path.of("redis-server"), data);
                redis.onFirstReply(() -> {
                    if (answered.incrementAndGet() == 1) {
                        throw new IOException("cannot be written yet");
                    }
                });
                assertThat(answered).hasValue(0);
                Thread serving = Thread.ofVirtual().start(() -> serve(server));

                assertThat(redis.isReady(TIMEOUT)).isFalse();
                assertThat(redis.isReady(TIMEOUT)).isTrue();
                assertThat(redis.replies(TIMEOUT)).isTrue();
                assertThat(answered).hasValue(2);
                assertThat(serving.isAlive()).isTrue();
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

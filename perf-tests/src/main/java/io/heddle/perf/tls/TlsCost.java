package io.heddle.perf.tls;

import io.heddle.transport.tls.TlsProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures handshakes, messages and idle connections over plain TCP and over TLS with each implementation. Server and clients are in this process,
 * except for idle connections, whose clients are a process of their own. Processor time is that of the threads of the server only.
 *
 * <p>Arguments: {@code handshakes messages idle-connections half-open-handshakes}, by default 2000, 100000, 2000 and 5000.
 */
public final class TlsCost {
    private static final int ROUNDS = 3;

    private TlsCost() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals(IdleClients.NAME)) {
            IdleClients.main(arguments);
            return;
        }
        if (arguments.length > 0 && arguments[0].equals(HalfOpenClients.NAME)) {
            HalfOpenClients.main(arguments);
            return;
        }
        int handshakes = number(arguments, 0, 2_000);
        int messages = number(arguments, 1, 100_000);
        int idle = number(arguments, 2, 2_000);
        print("load average: " + Files.readString(Path.of("/proc/loadavg")).strip());
        for (TlsProvider provider : providers()) {
            try (EchoServer server = new EchoServer(provider)) {
                measure(server, handshakes, messages);
            }
        }
        for (TlsProvider provider : providers()) {
            try (EchoServer server = new EchoServer(provider)) {
                memory(server, idle);
            }
        }
        for (TlsProvider provider : List.of(TlsProvider.OPENSSL, TlsProvider.JDK)) {
            try (EchoServer server = new EchoServer(provider)) {
                halfOpen(server, number(arguments, 3, 5_000));
            }
        }
    }

    /** Returns plain TCP (null) and the implementations. */
    private static List<@Nullable TlsProvider> providers() {
        List<@Nullable TlsProvider> providers = new ArrayList<>();
        providers.add(null);
        providers.add(TlsProvider.OPENSSL);
        providers.add(TlsProvider.JDK);
        return providers;
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private static void print(String text) {
        System.out.println(text);
    }

    private static void measure(EchoServer server, int handshakes, int messages) throws Exception {
        EventLoopGroup loops = EchoClients.loops();
        try {
            for (int round = 0; round <= ROUNDS; round++) {
                String name = server.name() + (round == 0 ? " (warm-up)" : "");
                SslContext resuming = server.isEncrypted() ? EchoClients.context(server.authority()) : null;
                print(String.format(
                        Locale.ROOT,
                        "%s: connect with full handshake %.0f us, connect with resumed handshake %.0f us,"
                                + " message of 62 bytes and its echo %.2f us",
                        name,
                        micros(server, handshakes, () -> {
                            for (int i = 0; i < handshakes; i++) {
                                SslContext fresh =
                                        server.isEncrypted() ? EchoClients.context(server.authority()) : null;
                                EchoClients.connectOnce(loops, server.port(), fresh);
                            }
                        }),
                        micros(server, handshakes, () -> {
                            for (int i = 0; i < handshakes; i++) {
                                EchoClients.connectOnce(loops, server.port(), resuming);
                            }
                        }),
                        micros(
                                server,
                                messages,
                                () -> EchoClients.pingPong(loops, server.port(), resuming, messages))));
            }
        } finally {
            var _ = loops.shutdownGracefully().sync();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double micros(EchoServer server, int times, Work work) throws Exception {
        long before = server.cpuNanos();
        work.run();
        return (server.cpuNanos() - before) / 1_000.0 / times;
    }

    private static void memory(EchoServer server, int connections) throws Exception {
        // The first connections load classes and fill caches.
        try (IdleClients few = IdleClients.start(server, 100)) {
            server.awaitConnections(few.count());
        }
        server.awaitConnections(0);
        long before = residentBytes();
        long heapBefore = usedHeap();
        try (IdleClients clients = IdleClients.start(server, connections)) {
            server.awaitConnections(clients.count());
            long heap = usedHeap() - heapBefore;
            long resident = residentBytes() - before;
            print(String.format(
                    Locale.ROOT,
                    "%s: idle connection %d bytes of resident memory, %d bytes of heap",
                    server.name(),
                    resident / connections,
                    heap / connections));
        }
        server.awaitConnections(0);
    }

    /** A connected client sends a thousand messages a second, and another connects ten times a second. */
    private static void halfOpen(EchoServer server, int connections) throws Exception {
        EventLoopGroup loops = EchoClients.loops();
        SslContext context = EchoClients.context(server.authority());
        try (PacedClient client = new PacedClient(loops, server.port(), context)) {
            var _ = client.measure();
            PacedClient.Latencies before = client.measure();
            try (IdleClients attackers = IdleClients.start(HalfOpenClients.NAME, server, connections)) {
                // Until the attackers have opened all connections once.
                server.awaitAccepted(attackers.count());
                PacedClient.Latencies during = client.measure();
                print(String.format(
                        Locale.ROOT,
                        "%s: with %d half-open handshakes, of them %d in progress: %s; before: %s",
                        server.name(),
                        connections,
                        server.handshakesInProgress(),
                        during,
                        before));
            }
        } finally {
            var _ = loops.shutdownGracefully().sync();
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long residentBytes() throws IOException {
        var _ = usedHeap();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }
}

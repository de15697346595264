package io.heddle.persistence;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server on a free loopback port whose answers a test chooses. */
public final class StubServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** The answer to a request. */
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    public StubServer(Answer answer) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                answer.to(exchange);
            }
        });
        server.setExecutor(threads);
        server.start();
    }

    /** Returns the address without a path. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    // Answers.

    public static Answer text(String text) {
        return exchange -> {
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        };
    }

    public static Answer status(int code) {
        return exchange -> exchange.sendResponseHeaders(code, -1);
    }

    public static Answer redirect() {
        return exchange -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** 100 MB, of which the broker must not read more than its bound and what the network buffers. */
    public static Answer endless() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            for (int i = 0; i < 100; i++) {
                body.write(new byte[1 << 20]);
            }
        };
    }

    /** Begins a text, and goes on only when the latch allows it. */
    public static Answer begun(CountDownLatch released) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            await(released);
        };
    }

    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}

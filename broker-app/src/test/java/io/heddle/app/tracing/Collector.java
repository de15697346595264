package io.heddle.app.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A collector of OpenTelemetry on a free port of this machine. Thread-safe. */
public final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ReceivedSpan> spans = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile CountDownLatch answers = new CountDownLatch(0);

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            requests.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("authorization"));
            answers.await();
            if (status == 200) {
                spans.addAll(ReceivedSpan.read(body));
            }
            exchange.sendResponseHeaders(status, -1);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the setting that sends spans here. */
    public String endpoint() {
        return String.format(
                Locale.ROOT,
                "http://127.0.0.1:%d/v1/traces",
                server.getAddress().getPort());
    }

    /** Answers with a status from now on. */
    void refuse(int code) {
        status = code;
    }

    /** Answers nothing until the latch is open. */
    void answerWhen(CountDownLatch open) {
        answers = open;
    }

    /** Returns the path and the header "authorization" of each request. */
    List<String> requests() {
        return requests;
    }

    /** Returns the spans that were accepted. */
    public List<ReceivedSpan> spans() {
        return spans;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

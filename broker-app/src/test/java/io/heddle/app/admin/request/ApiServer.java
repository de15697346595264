package io.heddle.app.admin.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.net.ssl.SSLContext;

/** An HTTP server in the place of a node: records requests, and sends answers one after another; the last one is repeated. Thread-safe. */
public final class ApiServer implements AutoCloseable {
    private record Prepared(int status, String body) {}

    private final HttpServer server;
    // Guarded by this.
    private final List<String> requests = new ArrayList<>();
    private final List<String> headers = new ArrayList<>();
    private final Deque<Prepared> answers = new ArrayDeque<>();

    private ApiServer(HttpServer server) {
        this.server = server;
    }

    /** Starts a server that answers with an empty object. */
    public static ApiServer start() throws IOException {
        return start(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /** Starts such a server with TLS. */
    static ApiServer start(SSLContext context) throws IOException {
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(context));
        return start(https);
    }

    private static ApiServer start(HttpServer http) {
        ApiServer server = new ApiServer(http);
        http.createContext("/", server::handle);
        http.start();
        return server;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Prepared answer;
        synchronized (this) {
            requests.add((exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body).strip());
            headers.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type"));
            answer = answers.size() > 1
                    ? answers.remove()
                    : answers.isEmpty() ? new Prepared(200, "{}") : answers.peek();
        }
        byte[] bytes = answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    /** Adds an answer. */
    public synchronized ApiServer answer(int status, String body) {
        answers.add(new Prepared(status, body));
        return this;
    }

    /** Returns the requests with their bodies, after a space. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** Returns the values of Authorization and Content-Type of each request. */
    public synchronized List<String> headers() {
        return List.copyOf(headers);
    }

    /** Returns the address of the server. */
    public URI uri() {
        return URI.create((server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

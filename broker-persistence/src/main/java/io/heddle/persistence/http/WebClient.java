package io.heddle.persistence.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to web servers and keeps the connections for further ones. Follows no redirects. Thread-safe; blocks. Bounds: the time of a
 * request and the size of a response. The callers bound the concurrent requests, each of which has a connection.
 */
public final class WebClient implements AutoCloseable {
    private final HttpClient client;
    private final Duration timeout;
    private final int maximumBytes;

    /**
     * Creates a client without connections.
     *
     * @param timeout of a request, from the connection to the last byte of the response
     * @param maximumBytes of the body of a response
     * @param trust the authorities of servers, or null for those of Java
     */
    public WebClient(Duration timeout, int maximumBytes, @Nullable SSLContext trust) {
        // HTTP/2 would limit the concurrent requests by what the server allows in a connection.
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .executor(Executors.newVirtualThreadPerTaskExecutor());
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.client = builder.build();
        this.timeout = timeout;
        this.maximumBytes = maximumBytes;
    }

    /**
     * Sends a request that changes nothing at the server. It is repeated once if the connection fails, because a server may close a kept
     * connection at any time.
     *
     * @throws HttpTimeoutException without a complete response in time
     * @throws IOException without a usable response
     */
    public HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            return attempt(request, timeout);
        } catch (HttpTimeoutException slow) {
            throw slow;
        } catch (IOException failed) {
            Duration left = Duration.ofNanos(end - System.nanoTime());
            if (!left.isPositive() || Thread.currentThread().isInterrupted()) {
                throw failed;
            }
            return attempt(request, left);
        }
    }

    private HttpResponse<byte[]> attempt(HttpRequest.Builder request, Duration left) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> response = client.sendAsync(
                request.timeout(left).build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), maximumBytes));
        try {
            // The time-out of the request ends with the head of the response.
            return response.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException slow) {
            throw late();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof HttpTimeoutException
                    ? late()
                    : new IOException("no usable response", failure.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopping);
        } finally {
            response.cancel(true);
        }
    }

    private HttpTimeoutException late() {
        return new HttpTimeoutException("no complete response within " + timeout.toMillis() + " ms");
    }

    /** Ends the requests in progress. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}

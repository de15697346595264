package io.heddle.app.tls;

import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.persistence.http.WebClient;
import io.heddle.transport.certificate.OcspStaples;
import io.heddle.transport.tls.ServerKey;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Keeps the OCSP responses about the certificates of the listeners, on a thread of its own. Bounds: one request at a time, its time and size. */
final class OcspStapling implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** Bounds the copies that connections keep. */
    private static final int MAXIMUM_BYTES = 1 << 13;

    private static final int OK = 200;

    private final WebClient client = new WebClient(TIMEOUT, MAXIMUM_BYTES, null);
    private final OcspStaples staples;
    private final Housekeeping thread;

    /** Begins to fetch when it is started. */
    OcspStapling(Supplier<List<ServerKey>> keys, Clock clock, MeterRegistry metrics) {
        this.staples = new OcspStaples(this::ask, clock, metrics);
        this.thread = new Housekeeping("ocsp", INTERVAL, () -> staples.refresh(keys.get()));
    }

    private byte[] ask(URI responder, byte[] request) throws IOException {
        HttpResponse<byte[]> response = client.send(HttpRequest.newBuilder(responder)
                .header("Content-Type", "application/ocsp-request")
                .POST(BodyPublishers.ofByteArray(request)));
        if (response.statusCode() != OK) {
            throw new IOException("the HTTP status is " + response.statusCode());
        }
        return response.body();
    }

    OcspStaples staples() {
        return staples;
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.stop();
        client.close();
    }
}

package io.heddle.app.tracing;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Says in words why a request has failed, which the exporter hides in classes of its own. Thread-safe. */
record CollectorSender(HttpSender sender) implements HttpSender {
    /** Returns a loader that loads this sender instead of the one that it uses. */
    static ComponentLoader loader() {
        ComponentLoader loader = ComponentLoader.forClassLoader(CollectorSender.class.getClassLoader());
        return new ComponentLoader() {
            @Override
            public <T> Iterable<T> load(Class<T> type) {
                return ComponentLoader.loadList(loader, type).stream()
                        .map(each -> each instanceof HttpSenderProvider provider ? type.cast(around(provider)) : each)
                        .toList();
            }
        };
    }

    private static HttpSenderProvider around(HttpSenderProvider provider) {
        return settings -> new CollectorSender(provider.createSender(settings));
    }

    @Override
    public void send(MessageWriter body, Consumer<HttpResponse> onResponse, Consumer<Throwable> onError) {
        sender.send(
                body,
                response -> {
                    int status = response.getStatusCode();
                    if (status >= 200 && status < 300) {
                        onResponse.accept(response);
                    } else {
                        onError.accept(new IOException("it answered " + status));
                    }
                },
                failure -> onError.accept(inWords(failure)));
    }

    private static Throwable inWords(Throwable failure) {
        if (Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(UnresolvedAddressException.class::isInstance)) {
            return new IOException("unknown host");
        }
        // The client of Java gives no message.
        boolean isRefused = Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(each -> each instanceof ConnectException && each.getMessage() == null);
        return isRefused ? new IOException("connection refused") : failure;
    }

    @Override
    public CompletableResultCode shutdown() {
        return sender.shutdown();
    }
}

package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice of a certificate by the name of the server that the client asks for. */
final class TlsContextsTest {
    private static ServerKey key(TlsFixture fixture, Path directory, String name) {
        Issued issued = fixture.trial().server(fixture.authority(), List.of(name));
        return new ServerKey(
                issued.key(),
                List.of(issued.certificate()),
                List.of(name),
                new KeyFiles("heddle.mqtt.tls", directory, null, ""));
    }

    @Test
    void aDotAtTheEndOfTheNameIsIgnored(@TempDir Path directory) throws Exception {
        TlsFixture fixture = new TlsFixture(directory);
        List<ServerKey> keys =
                List.of(key(fixture, directory, "first.example"), key(fixture, directory, "*.second.example"));
        TlsContexts contexts = new TlsContexts(
                TlsFixture.with(TlsProvider.AUTO, keys.getFirst().files()), keys, null, new TicketKeys(), null);
        try {
            assertThat(contexts.context("first.example.")).isSameAs(contexts.context(null));
            assertThat(contexts.context("a.second.example."))
                    .isSameAs(contexts.context("a.second.example"))
                    .isNotSameAs(contexts.context(null));
            assertThat(contexts.context(".")).isSameAs(contexts.context(null));
        } finally {
            contexts.release();
            fixture.close();
        }
    }
}

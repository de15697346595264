package io.heddle.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientId;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ConnectCredentialsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("192.0.2.1", 4711);

    @Test
    void sourcesOfUserNamesAndClientIdsDiffer() {
        SignInSource user = new ConnectCredentials(new ClientId("c"), "a", null, ADDRESS).signInSource();
        SignInSource client = new ConnectCredentials(new ClientId("a"), null, null, ADDRESS).signInSource();

        assertThat(user.network())
                .isEqualTo(client.network())
                .isEqualTo(SignInSource.of("192.0.2.1", "any").network());
        assertThat(user.name()).isNotEqualTo(client.name());
    }

    @Test
    void sourceHasAPartOfALongName() {
        SignInSource source =
                new ConnectCredentials(new ClientId("c"), "n".repeat(60_000), null, ADDRESS).signInSource();

        assertThat(source.name()).hasSize(255);
    }
}

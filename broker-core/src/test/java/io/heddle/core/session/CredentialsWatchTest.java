package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.KnownCredentials;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CredentialsWatchTest {
    private final TestNode node = new TestNode();
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private long nanos;
    private final KnownCredentials known = new KnownCredentials(store, 100, () -> nanos, node.metrics);
    private final CredentialsWatch watch = new CredentialsWatch(
            store.changes(),
            store,
            () -> node.sessions,
            known,
            _ -> {},
            Duration.ofSeconds(30),
            () -> nanos,
            node.metrics);

    @BeforeEach
    void signInWithStoredCredentials() {
        node.authenticator = shown -> {
            StoredCredentials found = Objects.requireNonNull(store.find(shown.clientId(), shown.userName()));
            return new Accepted(new ClientIdentity(shown.clientId(), found.type(), null, false, found.version()));
        };
        watch();
    }

    private void watch() {
        watch.run();
        node.runAll();
    }

    private StoredCredentials put(String clientId) {
        StoredCredentials credentials =
                new StoredCredentials(UUID.randomUUID(), new ClientId(clientId), null, ClientType.DEVICE, "hash");
        store.put(credentials);
        return credentials;
    }

    @Test
    void removedCredentialsDisconnectTheirClient() {
        StoredCredentials pump = put("pump");
        put("other");
        TestClient client = node.connect("pump");
        TestClient other = node.connect("other");

        store.remove(pump.id());
        watch();

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(other.disconnected()).isEmpty();
        assertThat(node.metrics.counter("heddle.credentials.disconnected").count())
                .isEqualTo(1);
    }

    @Test
    void aClientThatHasSignedInWithChangedCredentialsStays() {
        StoredCredentials pump = put("pump");
        TestClient before = node.connect("pump");
        store.update(
                pump,
                new StoredCredentials(pump.id(), pump.clientId(), null, ClientType.DEVICE, "hash of a new password"));

        watch();
        TestClient after = node.connect("pump");
        watch();

        assertThat(before.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(after.disconnected()).isEmpty();
    }

    @Test
    void aClientThatConnectsWhileItsCredentialsAreRemovedIsDisconnected() {
        StoredCredentials pump = put("pump");
        StoredCredentials read = Objects.requireNonNull(store.get(pump.id()));
        store.remove(pump.id());
        watch();
        node.authenticator = shown ->
                new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null, false, read.version()));
        TestClient late = node.connect("pump");

        nanos += Duration.ofSeconds(59).toNanos();
        watch();

        assertThat(late.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void afterAGapEveryClientIsChecked() {
        StoredCredentials pump = put("pump");
        put("other");
        TestClient client = node.connect("pump");
        TestClient other = node.connect("other");
        store.changes().setDown(true);
        watch();
        store.remove(pump.id());
        // The notice was lost with the connection to the store.
        store.changes().setDown(false);
        var _ = store.changes().await(Duration.ZERO);
        store.changes().setDown(true);
        watch();

        assertThat(client.disconnected()).isEmpty();
        store.changes().setDown(false);
        watch();

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(other.disconnected()).isEmpty();
    }

    @Test
    void clientsWithoutCredentialsStay() {
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null));
        TestClient anonymous = node.connect("anonymous");
        StoredCredentials pump = put("pump");
        store.remove(pump.id());

        watch();

        assertThat(anonymous.disconnected()).isEmpty();
    }
}

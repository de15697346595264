package io.heddle.core.operator.blocked;

import static io.heddle.core.testkit.BlockedClientStoreContract.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.KnownCredentials;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.authentication.blocked.BlockedIndex;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.Connect;
import io.heddle.core.session.CredentialsWatch;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.InMemoryBlockedClientStore;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.RecordingConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that refuses and disconnects blocked clients. */
final class BlockedWatchTest {
    private final TestNode node = new TestNode();
    private final InMemoryCredentialsStore credentials = new InMemoryCredentialsStore();
    private final InMemoryBlockedClientStore store =
            new InMemoryBlockedClientStore(credentials.changes(), () -> Instant.ofEpochMilli(node.clock.millis()));
    private final CredentialsWatch watch = new CredentialsWatch(
            credentials.changes(),
            credentials,
            () -> node.sessions,
            new KnownCredentials(credentials, 0, node.loop::nanoTime, node.metrics),
            new BlockedWatch(node.blocked, store, () -> node.sessions, node.loop::nanoTime),
            Duration.ofSeconds(30),
            node.loop::nanoTime,
            node.metrics);
    private int authentications;

    BlockedWatchTest() {
        node.authenticator = shown -> {
            authentications++;
            return new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
        };
        watch();
    }

    private void watch() {
        watch.run();
        node.runAll();
    }

    private TestClient connect(String clientId, String userName, String address) {
        RecordingConnection connection = new RecordingConnection(node.loop);
        connection.address(new InetSocketAddress(InetAddress.ofLiteral(address), 50_000));
        TestClient client = new TestClient(connection, new ArrayList<>(), new ArrayList<>(), node::runAll);
        node.connectService.connect(
                connection,
                new Connect(clientId).userName(userName).packet(),
                client.exchanges()::add,
                client.established()::add);
        node.runAll();
        return client;
    }

    @ParameterizedTest
    @CsvSource({
        "CLIENT_ID, pump, 1",
        "CLIENT_ID_PATTERN, p?mp, 1",
        "ADDRESS, 192.0.2.7, 1",
        "ADDRESS, 192.0.2.0/24, 1",
        "USER_NAME, alice, 2"
    })
    void aConnectedClientIsDisconnectedAndRefusedUntilItIsLifted(Kind kind, String value, int authenticated) {
        TestClient client = connect("pump", "alice", "192.0.2.7");
        TestClient other = connect("other", "bob", "198.51.100.1");
        authentications = 1;
        BlockedClient entry = entry(kind, value);
        store.put(entry);
        watch();

        assertThat(client.disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
        assertThat(client.connection().isClosed()).isTrue();
        TestClient refused = connect("pump", "alice", "192.0.2.7");
        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.BANNED);
        assertThat(refused.connection().isClosed()).isTrue();
        // Only the user name is unknown before the authentication.
        assertThat(authentications).isEqualTo(authenticated);
        assertThat(other.disconnected()).isEmpty();
        assertThat(String.join("\n", node.lines.all())).contains("the client is blocked (");

        store.remove(entry.id());
        watch();

        assertThat(connect("pump", "alice", "192.0.2.7").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void theUserNameOfARefusedSignInBlocksNobody() {
        store.put(entry(Kind.USER_NAME, "alice"));
        watch();
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, "bob"));

        assertThat(connect("pump", "alice", "192.0.2.7").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void theSessionOfABlockedClientStays() {
        TestClient client = node.connect(new Connect("pump").persistent(3_600).packet());
        store.put(entry(Kind.CLIENT_ID, "pump"));
        watch();

        assertThat(client.disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
        node.blocked.replace(BlockedIndex.EMPTY);
        assertThat(node.connect(new Connect("pump")
                                .persistent(3_600)
                                .cleanStart(false)
                                .packet())
                        .connAck()
                        .sessionPresent())
                .isTrue();
    }

    @Test
    void aClientOfMqtt3IsClosedWithoutDisconnect() {
        TestClient client =
                node.connect(new Connect("pump").version(MqttVersion.V3_1_1).packet());
        store.put(entry(Kind.CLIENT_ID, "pump"));
        watch();

        assertThat(client.disconnected()).isEmpty();
        assertThat(client.connection().isClosed()).isTrue();
    }

    @Test
    void aClientThatIsBlockedBetweenItsCheckAndConnackIsDisconnected() {
        node.connect(node.otherLoop, new Connect("pump").packet());
        TestClient late = node.begin(node.loop, new Connect("pump").packet());
        // It waits for the event loop of the earlier connection.
        node.loop.runTasks();
        store.put(entry(Kind.CLIENT_ID, "pump"));
        watch();

        assertThat(late.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(late.disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
    }

    @Test
    void whileTheStoreIsAwayTheEntriesThatWereReadStayInForce() {
        store.put(entry(Kind.CLIENT_ID, "pump"));
        watch();
        credentials.changes().setDown(true);
        store.setAway(true);
        watch();
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);
        TestClient next = node.connect("next");

        store.setAway(false);
        store.put(entry(Kind.CLIENT_ID, "next"));
        store.setAway(true);
        credentials.changes().setDown(false);
        // The change is told, but cannot be read yet.
        watch();
        watch();
        assertThat(next.disconnected()).isEmpty();
        store.setAway(false);
        watch();

        assertThat(next.disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
    }

    @Test
    void entriesThatHaveEndedAreRemoved() {
        store.put(entry(
                Kind.CLIENT_ID,
                "pump",
                Instant.ofEpochMilli(node.clock.millis()).plusSeconds(60),
                "ada"));
        watch();
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);

        node.advance(Duration.ofSeconds(60));
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        watch();

        assertThat(store.size()).isZero();
    }

    @Test
    void aFlappingClientIsBlockedHereAtOnceAndThenInTheStoreUntilItIsLifted() {
        for (int i = 0; i < TestNode.FLAPPING_CONNECTIONS; i++) {
            assertThat(node.connect("pump").disconnected()).isEmpty();
        }
        assertThat(node.connect("pump").disconnected()).containsExactly(ReasonCode.ADMINISTRATIVE_ACTION);
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);
        store.setAway(true);
        watch();
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);
        store.setAway(false);
        watch();

        BlockedClient stored = store.all().getFirst();
        assertThat(stored.createdBy()).isEqualTo(BlockedClient.FLAPPING);
        assertThat(stored.reason()).isEqualTo("connected more than 200 times within 60 s");
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);

        store.remove(stored.id());
        watch();

        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void withTooManyEntriesAFlappingClientIsBlockedByItsNodeOnly() {
        for (int i = 0; i < BlockedClientStore.MAXIMUM_FOR_FLAPPING; i++) {
            store.put(entry(Kind.USER_NAME, UUID.randomUUID().toString()));
        }
        for (int i = 0; i <= TestNode.FLAPPING_CONNECTIONS; i++) {
            node.connect("pump");
        }
        watch();
        watch();

        assertThat(store.size()).isEqualTo(BlockedClientStore.MAXIMUM_FOR_FLAPPING);
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.BANNED);
        node.advance(Duration.ofMinutes(5));
        assertThat(node.connect("pump").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }
}

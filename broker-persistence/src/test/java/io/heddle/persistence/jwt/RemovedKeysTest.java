package io.heddle.persistence.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connected clients whose keys are removed from a file. */
final class RemovedKeysTest {
    private static final Signer FIRST = Signer.of("ES256");
    private static final Signer SECOND = Signer.of("ES256");

    private final TestNode node = new TestNode();
    private final KeyFile file;
    private final FileKeys keys;
    private final RemovedKeys removed;
    private @Nullable LocalSessions sessions = node.sessions;
    private Signer signer = FIRST;
    private long nanos;

    RemovedKeysTest(@TempDir Path directory) {
        file = new KeyFile(directory.resolve("keys.json"));
        file.write(FIRST, SECOND);
        keys = new FileKeys(file.path(), file::read, node.metrics);
        removed = new RemovedKeys(keys, () -> sessions, () -> nanos, node.metrics);
        node.exchange = EnhancedMethod.ofPassword(
                        "TEST",
                        new JwtAuthenticator(
                                keys,
                                new ClaimRules(Map.of(), false, Duration.ZERO, null, null, null, List.of()),
                                Instant::now,
                                new SteadyClock(Instant::now, System::nanoTime)))
                .begin();
        node.authenticator = shown -> (AuthenticationOutcome) node.exchange.answer(shown, token());
        run();
    }

    private BinaryData token() {
        return BinaryData.wrap(signer.token(Map.of()).getBytes(UTF_8));
    }

    private TestClient connect(String clientId, Signer by) {
        signer = by;
        return node.connect(clientId);
    }

    private void run() {
        removed.run();
        removed.run();
        node.runAll();
    }

    private double disconnected() {
        return node.count("heddle.authentication.jwt.clients.disconnected");
    }

    @Test
    void theClientsOfARemovedKeyAreDisconnected() {
        TestClient first = connect("first", FIRST);
        TestClient second = connect("second", SECOND);
        TestClient away = connect("away", FIRST);
        away.lose();

        file.write(SECOND);
        run();
        run();

        assertThat(first.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(second.disconnected()).isEmpty();
        assertThat(second.connection().isOpen()).isTrue();
        assertThat(disconnected()).isOne();
        first.lose();
        assertThat(node.lines.all()).last().asString().contains("the key of its token was removed", "clientId=first");
    }

    @Test
    void aKeyWithAnotherNameIsTheSameKeyAndAnotherKeyWithTheSameNameIsNot() {
        TestClient first = connect("first", FIRST);
        TestClient second = connect("second", SECOND);

        // FIRST gets the name of SECOND.
        file.write(Signer.of("ES256"), FIRST);
        run();

        assertThat(first.disconnected()).isEmpty();
        assertThat(second.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void aFileThatIsWrongOrMissingDisconnectsNobody() {
        TestClient client = connect("c", FIRST);

        for (String wrong : List.of("", "garbage", "{\"keys\":[]}")) {
            file.text(wrong);
            run();
        }
        file.delete();
        run();

        assertThat(client.disconnected()).isEmpty();
        assertThat(disconnected()).isZero();
    }

    @Test
    void aClientThatConnectsWhileItsKeyIsRemovedIsDisconnected() {
        file.write(SECOND);
        run();
        node.authenticator = shown ->
                new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null, false, FIRST.tokenKey()));
        TestClient late = node.connect("late");

        nanos += Duration.ofSeconds(119).toNanos();
        run();

        assertThat(late.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void keysThatAreRemovedBeforeTheBrokerServesAreRemembered() {
        TestClient client = connect("c", FIRST);
        sessions = null;
        file.write(SECOND);
        run();

        sessions = node.sessions;
        run();

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void theKeyOfTheLatestTokenCounts() {
        signer = FIRST;
        TestClient renewed =
                node.connect(new Connect("renewed").method("TEST", token()).packet());
        TestClient other =
                node.connect(new Connect("other").method("TEST", token()).packet());
        signer = SECOND;
        renewed.send(new AuthPacket(ReasonCode.RE_AUTHENTICATE, "TEST", token(), null, List.of()));

        file.write(SECOND);
        run();
        assertThat(renewed.disconnected()).isEmpty();
        assertThat(other.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        file.write(FIRST);
        run();

        assertThat(renewed.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void clientsOfOtherMethodsStay() {
        node.authenticator = shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, null));
        TestClient client = node.connect("c");

        file.write(SECOND);
        run();

        assertThat(client.disconnected()).isEmpty();
    }
}

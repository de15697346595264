package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.testkit.RecordingWatcher;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that change while clients are connected or away. */
final class ChangedRulesTest {
    private static final String[] OPEN = {"default allow"};
    private static final String[] NO_SECRETS = {
        "default allow", "revoked-subscriptions remove", "deny all secret/# for client c"
    };
    private static final String[] NO_SECRETS_AND_DISCONNECT = {"default allow", "deny all secret/# for client c"};

    private final SessionSettings settings = RulesTest.settings(OPEN);
    private final ActiveRules active = settings.topics().rules();
    private final TestNode node = new TestNode(settings, 1_000_000);
    private long version;

    ChangedRulesTest() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
    }

    /** Changes the rules without running any task of the event loops. */
    private CompletionStage<Void> change(String... rules) {
        active.apply(++version, RulesTest.read(rules));
        return active.whenApplied(version);
    }

    private void changeAndApply(String... rules) {
        CompletionStage<Void> applied = change(rules);
        node.runAll();
        assertThat(applied).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void subscriptionsThatAreNoLongerAllowedAreRemovedAndOthersStay(long expirySeconds) {
        TestClient client = node.connect(
                        new Connect("c").persistent(expirySeconds).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "secret/a", "secret/+/b", "$share/g/secret/#", "open/#", "#");
        TestClient other = node.connect("d").subscribe(QoS.AT_LEAST_ONCE, "secret/#");
        RecordingWatcher watcher = new RecordingWatcher();
        node.incidents.events().watch(watcher);

        changeAndApply(NO_SECRETS);
        assertThat(watcher.seen())
                .singleElement()
                .asString()
                .startsWith("REVOKED ")
                .contains("secret/a", "secret/+/b", "$share/g/secret/#")
                .doesNotContain("open/#");
        other.publish("secret/a", "1");
        other.publish("secret/x/b", "2", QoS.AT_LEAST_ONCE, 1);
        other.publish("open/x", "3", QoS.AT_LEAST_ONCE, 2);

        assertThat(client.payloads()).containsExactly("3");
        assertThat(other.payloads()).containsExactly("1", "2");
        assertThat(client.disconnected()).isEmpty();
        assertThat(node.count("heddle.subscriptions.revoked")).isEqualTo(4);
        assertThat(node.lines.all()).anyMatch(line -> line.contains("Subscriptions were removed"));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aClientThatLosesASubscriptionIsDisconnectedByDefault(long expirySeconds) {
        TestClient client = node.connect(
                        new Connect("c").persistent(expirySeconds).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "secret/#");
        TestClient other = node.connect("d").subscribe(QoS.AT_LEAST_ONCE, "secret/#");

        changeAndApply(NO_SECRETS_AND_DISCONNECT);

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(other.disconnected()).isEmpty();
        client.lose();
        TestClient again =
                node.connect(new Connect("c").persistent(expirySeconds).packet());
        other.publish("secret/a", "1", QoS.AT_LEAST_ONCE, 1);
        assertThat(again.payloads()).isEmpty();
        assertThat(again.disconnected()).isEmpty();
    }

    @Test
    void messagesThatWereQueuedUnderOtherRulesAreNotDelivered() {
        Connect connect = new Connect("c").persistent(60);
        TestClient away = node.connect(connect.packet()).subscribe(QoS.AT_LEAST_ONCE, "secret/a", "open/a");
        away.lose();
        TestClient other = node.connect("d");
        other.publish("secret/a", "1", QoS.AT_LEAST_ONCE, 1);
        other.publish("open/a", "2", QoS.AT_LEAST_ONCE, 2);

        changeAndApply(NO_SECRETS);
        TestClient back = node.connect(connect.packet());
        other.publish("secret/a", "3", QoS.AT_LEAST_ONCE, 3);
        other.publish("open/a", "4", QoS.AT_LEAST_ONCE, 4);

        assertThat(back.payloads()).containsExactly("2", "4");
        assertThat(node.dropped("denied_to_receive")).isEqualTo(1);
        assertThat(node.count("heddle.subscriptions.revoked")).isEqualTo(1);
    }

    @Test
    void messagesThatWaitInMemoryUnderOtherRulesAreNotDelivered() {
        TestClient client = node.connect(new Connect("c").receiveMaximum(1).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "secret/a", "open/a");
        TestClient other = node.connect("d");
        other.publish("open/a", "1", QoS.AT_LEAST_ONCE, 1);
        other.publish("secret/a", "2", QoS.AT_LEAST_ONCE, 2);
        other.publish("open/a", "3", QoS.AT_LEAST_ONCE, 3);

        changeAndApply(NO_SECRETS);
        client.pubAck(client.messages().getFirst().packetId());

        assertThat(client.payloads()).containsExactly("1", "3");
        assertThat(node.dropped("denied_to_receive")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aSubscriptionUnderWayIsRemovedToo(long expirySeconds) {
        TestClient client =
                node.connect(new Connect("c").persistent(expirySeconds).packet());

        client.unsettled().subscribe(QoS.AT_LEAST_ONCE, "secret/a");
        changeAndApply(NO_SECRETS);
        node.connect("d").publish("secret/a", "1", QoS.AT_LEAST_ONCE, 1);

        assertThat(client.payloads()).isEmpty();
        assertThat(node.count("heddle.subscriptions.revoked")).isEqualTo(1);
    }

    @Test
    void aClientThatConnectsMeanwhileGetsTheNewRules() {
        TestClient client = node.begin(node.otherLoop, new Connect("c").packet());

        changeAndApply(NO_SECRETS);
        client.publish("secret/a", "1", QoS.AT_LEAST_ONCE, 1);
        client.subscribe(QoS.AT_LEAST_ONCE, "secret/a");

        assertThat(client.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(client.subscribed()).containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void loosenedRulesApplyAtOnceToo() {
        changeAndApply("default deny");
        TestClient client = node.connect("c").subscribe(QoS.AT_MOST_ONCE, "a");
        assertThat(client.subscribed()).containsExactly(ReasonCode.NOT_AUTHORIZED);

        changeAndApply(OPEN);
        client.subscribe(QoS.AT_MOST_ONCE, "a");
        client.publish("a", "1");

        assertThat(client.subscribed()).containsExactly(ReasonCode.SUCCESS);
        assertThat(client.payloads()).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aWillIsCheckedWhenTheConnectionIsLost(long expirySeconds) {
        TestClient watching = node.connect("watching").subscribe(QoS.AT_LEAST_ONCE, "wills");
        TestClient client =
                node.connect(new Connect("c").persistent(expirySeconds).will(0).packet());

        changeAndApply("default allow", "deny publish wills for client c");
        client.lose();

        assertThat(watching.payloads()).isEmpty();
        assertThat(node.count("heddle.wills.denied")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deny publish wills for client c", "deny publish wills for everyone"})
    void aWillIsCheckedWhenItsDelayIsOver(String rule) {
        TestClient watching = node.connect("watching").subscribe(QoS.AT_LEAST_ONCE, "wills");
        node.connect(new Connect("c").persistent(60).will(10).packet()).lose();

        changeAndApply("default allow", rule);
        node.advance(Duration.ofSeconds(11));

        assertThat(watching.payloads()).isEmpty();
        assertThat(node.count("heddle.wills.denied")).isEqualTo(1);
    }

    @Test
    void aWaitingWillIsPublishedIfTheRulesDependOnWhatIsNotKnownAnyMore() {
        TestClient watching = node.connect("watching").subscribe(QoS.AT_LEAST_ONCE, "wills");
        node.connect(new Connect("c").persistent(60).will(10).packet()).lose();

        changeAndApply(
                "default deny",
                "revoked-subscriptions remove",
                "allow all # for client watching",
                "allow all # for address 10.0.0.0/8");
        node.advance(Duration.ofSeconds(11));

        assertThat(watching.payloads()).containsExactly("gone");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aFilteredSubscriptionGetsTheAllowedMessagesOnly(long expirySeconds) {
        changeAndApply("default allow", "partial-subscriptions filter", "deny subscribe secret/# for client c");
        TestClient other = node.connect("d");
        other.retain("secret/a", "0");
        other.retain("open/a", "1");

        TestClient client = node.connect(
                        new Connect("c").persistent(expirySeconds).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "#", "secret/a");
        other.publish("secret/a", "2");
        other.publish("secret/a", "3", QoS.AT_LEAST_ONCE, 1);
        other.publish("open/a", "4", QoS.AT_LEAST_ONCE, 2);

        assertThat(client.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1, ReasonCode.NOT_AUTHORIZED);
        assertThat(client.payloads()).containsExactly("1", "4");
        assertThat(node.dropped("denied_to_receive")).isEqualTo(3);
    }

    @Test
    void aRuleForAHigherQosAllowsTheDelivery() {
        changeAndApply("default deny", "allow all # for client d", "allow subscribe a qos 1 for client c");
        Connect connect = new Connect("c").persistent(60);
        TestClient client = node.connect(connect.packet()).subscribe(QoS.AT_LEAST_ONCE, "a");
        TestClient other = node.connect("d");
        other.publish("a", "1");
        client.lose();
        other.publish("a", "2", QoS.AT_LEAST_ONCE, 1);

        TestClient back = node.connect(connect.packet());

        assertThat(client.payloads()).containsExactly("1");
        assertThat(back.payloads()).containsExactly("2");
    }
}

package io.heddle.core.session.registrar.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionOwner;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.FilterRequest;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import io.heddle.core.testkit.PublishMessages;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

final class RegistrarFrameTest {
    private static final ClientId CLIENT = new ClientId("pumpe-ü");
    private static final WillMessage WILL = new WillMessage(
            TopicName.parse("wills/1", 8),
            BinaryData.wrap(new byte[] {1, 2, 3}),
            QoS.EXACTLY_ONCE,
            true,
            0xFFFF_FFFFL,
            new PublishProperties(
                    7,
                    true,
                    "text/plain",
                    TopicName.parse("answer", 8),
                    BinaryData.wrap(new byte[] {9}),
                    List.of(new UserProperty("a", "b"), new UserProperty("a", ""))));
    private static final SessionRecord AWAY = new SessionRecord(
            40, ClientType.APPLICATION, null, SessionRecord.FOREVER_SECONDS, "", 41, 1_800_000_000_000L, WILL);

    @SuppressWarnings("unused")
    private static final List<RegistrarFrame> FRAMES = List.of(
            new RegistrarFrame.Open(
                    1,
                    9,
                    new OpenRequest(
                            new ClientIdentity(CLIENT, ClientType.DEVICE, "user"),
                            new SessionOwner(false, "user"),
                            true,
                            0,
                            null,
                            "12-0000abcd",
                            0)),
            new RegistrarFrame.Open(
                    Long.MAX_VALUE,
                    9,
                    new OpenRequest(
                            new ClientIdentity(CLIENT, ClientType.APPLICATION, null, true),
                            null,
                            false,
                            SessionRecord.FOREVER_SECONDS,
                            WILL,
                            "12-0000abcd",
                            0)),
            new RegistrarFrame.Open(
                    2,
                    9,
                    new OpenRequest(
                            new ClientIdentity(CLIENT, ClientType.DEVICE, null),
                            new SessionOwner(true, "10.0.0.1"),
                            false,
                            60,
                            null,
                            "12-0000abcd",
                            41)),
            new RegistrarFrame.Leave(3, 9, new Departure(CLIENT, 4, 5, 6, 7, WILL).afterAppends(8)),
            new RegistrarFrame.Leave(3, 9, new Departure(CLIENT, 4, 5, SessionRegistry.UNKNOWN, -1, 0, null, AWAY)),
            new RegistrarFrame.Change(
                    4,
                    9,
                    new SubscriptionChange.Subscribe(
                            CLIENT,
                            5,
                            6,
                            268_435_455,
                            List.of(
                                    filter("a/+/#", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND_IF_NEW),
                                    filter("$share/g/b", QoS.EXACTLY_ONCE, false, true, RetainHandling.DO_NOT_SEND),
                                    filter("ü", QoS.AT_LEAST_ONCE, true, true, RetainHandling.SEND)))),
            new RegistrarFrame.Change(4, 9, new SubscriptionChange.Subscribe(CLIENT, 5, 6, 0, List.of())),
            new RegistrarFrame.Change(4, 9, new SubscriptionChange.Unsubscribe(CLIENT, 5, 6, List.of("a", "b/#"))),
            new RegistrarFrame.Opened(5, -1, new OpenOutcome.Opened(40, registration(), null, false)),
            new RegistrarFrame.Opened(5, -1, new OpenOutcome.Opened(40, registration(), AWAY, true)),
            new RegistrarFrame.Opened(6, -1, new OpenOutcome.Transient(77)),
            new RegistrarFrame.Opened(7, -1, OpenOutcome.Refused.OTHER_USER),
            new RegistrarFrame.Opened(7, -1, OpenOutcome.Refused.NO_ROOM),
            new RegistrarFrame.Opened(7, -1, OpenOutcome.Refused.OWNER_QUOTA),
            new RegistrarFrame.Opened(7, -1, OpenOutcome.Refused.CONNECTED),
            new RegistrarFrame.Opened(8, -1, new OpenOutcome.Unavailable(ReasonCode.SERVER_BUSY, "it is busy")),
            new RegistrarFrame.Left(9, true),
            new RegistrarFrame.Left(9, false),
            new RegistrarFrame.Changed(
                    10,
                    new ChangeOutcome.Changed(
                            List.of(ReasonCode.SUCCESS, ReasonCode.GRANTED_QOS_2, ReasonCode.QUOTA_EXCEEDED),
                            List.of(0, 1))),
            new RegistrarFrame.Changed(10, new ChangeOutcome.NotHeld()),
            new RegistrarFrame.Changed(10, new ChangeOutcome.Failed("the log is gone")),
            new RegistrarFrame.Close(8, CLIENT, 11),
            new RegistrarFrame.Absent(12, 9, CLIENT, 0),
            new RegistrarFrame.Again(13),
            new RegistrarFrame.Announce(9, 63, List.of()),
            new RegistrarFrame.Announce(
                    9,
                    63,
                    List.of(new TransientClient(CLIENT, 78, null), new TransientClient(new ClientId("d"), 79, "u"))));

    private static FilterRequest filter(
            String filter, QoS qos, boolean noLocal, boolean retainAsPublished, RetainHandling handling) {
        return new FilterRequest(TopicFilter.parse(filter, 8), qos, noLocal, retainAsPublished, handling);
    }

    private static Registration registration() {
        return new Registration(
                40,
                50,
                "11-00000001",
                49,
                3,
                9,
                SessionRegistry.UNKNOWN,
                new TreeMap<>(Map.of(1, PublishMessages.NAME, 65_535, PublishMessages.NAME)),
                List.of(4L, Long.MAX_VALUE),
                new BucketPosition(7, -1));
    }

    @ParameterizedTest
    @FieldSource("FRAMES")
    void aFrameIsReadAsItWasWritten(RegistrarFrame frame) {
        assertThat(RegistrarFrame.decode(frame.encode())).isEqualTo(frame);
    }

    @ParameterizedTest
    @FieldSource("FRAMES")
    void aTruncatedOrLongerFrameIsMalformed(RegistrarFrame frame) {
        byte[] bytes = frame.encode();
        for (int length = 0; length < bytes.length; length++) {
            assertMalformed(Arrays.copyOf(bytes, length));
        }
        assertMalformed(Arrays.copyOf(bytes, bytes.length + 1));
    }

    private static void assertMalformed(byte[] bytes) {
        assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> RegistrarFrame.decode(bytes));
    }

    static Stream<byte[]> unknown() {
        byte[] laterVersion = new RegistrarFrame.Close(8, CLIENT, 1).encode();
        laterVersion[0]++;
        byte[] unknownKind = new RegistrarFrame.Close(8, CLIENT, 1).encode();
        unknownKind[1] = 99;
        byte[] unknownOutcome = new RegistrarFrame.Opened(1, -1, new OpenOutcome.Transient(77)).encode();
        unknownOutcome[1 + 1 + 2 * Long.BYTES] = 99;
        byte[] hugeCount =
                new RegistrarFrame.Change(1, 9, new SubscriptionChange.Unsubscribe(CLIENT, 1, 1, List.of())).encode();
        hugeCount[hugeCount.length - 1] = 99;
        return Stream.of(laterVersion, unknownKind, unknownOutcome, hugeCount);
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void anUnknownValueIsMalformed(byte[] bytes) {
        assertMalformed(bytes);
    }
}

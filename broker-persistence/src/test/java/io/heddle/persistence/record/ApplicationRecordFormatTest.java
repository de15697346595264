package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationRecordFormatTest {
    private static final ClientId APP = new ClientId("billing");
    private static final long GENERATION = 1_700_000_000_000_000L;
    private static final ToApplication PLAIN = new ToApplication(
            APP,
            GENERATION,
            new PublishMessage(
                    new ClientId("pump-1"),
                    TopicName.parse("plant/1/temperature", 8),
                    QoS.AT_LEAST_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.wrap("21.5".getBytes(StandardCharsets.UTF_8)),
                    PublishMessage.NEVER_EXPIRES),
            QoS.AT_LEAST_ONCE,
            false,
            List.of());
    private static final ToApplication FULL =
            new ToApplication(APP, GENERATION, MessageFormatTest.FULL, QoS.EXACTLY_ONCE, true, List.of(5, 268_435_455));

    private static final ProgressKey KEY = new ProgressKey(APP, GENERATION, GENERATION + 1);
    private static final Progress PROGRESS = new Progress(
            1_000,
            List.of(new SequenceRange(1_002, 1_005), new SequenceRange(1_010, 1_011)),
            List.of(1_001L, 1_000L),
            Progress.UNKNOWN);
    private static final Progress AWAY = new Progress(7, List.of(), List.of(), 9);

    private final ProgressFormat progress = new ProgressFormat();

    @Test
    void theFormatOfMessagesIsStable() {
        golden("application-header-v1", ApplicationRecordFormat.header(PLAIN));
        golden("application-header-full-v1", ApplicationRecordFormat.header(FULL));
        assertThat(ApplicationRecordFormat.key(PLAIN))
                .isEqualTo("plant/1/temperature".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aMessageIsReadAsItsRecipientReceivesIt() {
        assertThat(back(PLAIN))
                .isEqualTo(new ApplicationMessage(12, PLAIN.message(), QoS.AT_LEAST_ONCE, false, List.of()));
        PublishMessage full = FULL.message();
        assertThat(back(FULL))
                .isEqualTo(new ApplicationMessage(
                        12,
                        new PublishMessage(
                                full.publisher(),
                                full.topic(),
                                QoS.EXACTLY_ONCE,
                                true,
                                full.properties(),
                                full.payload(),
                                full.expiresAtMillis()),
                        QoS.EXACTLY_ONCE,
                        true,
                        FULL.subscriptionIdentifiers()));
        assertThat(ApplicationRecordFormat.generation(reader(ApplicationRecordFormat.header(FULL))))
                .isEqualTo(GENERATION);
    }

    @Test
    void theFormatOfProgressIsStable() {
        golden("progress-key-v1", progress.key(KEY));
        golden("progress-v1", progress.value(PROGRESS));
        golden("progress-away-v1", progress.value(AWAY));
        assertThat(progress.readKey(reader(progress.key(KEY)))).isEqualTo(KEY);
        assertThat(progress.readValue(KEY, reader(progress.value(PROGRESS)))).isEqualTo(PROGRESS);
        assertThat(progress.readValue(KEY, reader(progress.value(AWAY)))).isEqualTo(AWAY);
    }

    @Test
    void aTruncatedOrTooLongRecordIsRejected() {
        byte[] header = ApplicationRecordFormat.header(FULL);
        Truncated.assertUnreadable(header, cut -> read(cut));
        assertThatThrownBy(() -> read(Arrays.copyOf(header, header.length + 1)))
                .hasMessageEndingWith("1 bytes too many");
        byte[] key = progress.key(KEY);
        Truncated.assertUnreadable(key, cut -> progress.readKey(reader(cut)));
        byte[] value = progress.value(PROGRESS);
        Truncated.assertUnreadable(value, cut -> progress.readValue(KEY, reader(cut)));
        assertThatThrownBy(() -> progress.readValue(KEY, reader(Arrays.copyOf(value, value.length + 1))))
                .hasMessageEndingWith("1 bytes too many");
    }

    @Test
    void aLaterVersionOrKindIsNamed() {
        byte[] header = ApplicationRecordFormat.header(PLAIN);
        header[0] = 9;
        assertThatThrownBy(() -> read(header)).hasMessageContaining("a message of an application of version 9");
        assertThatThrownBy(() -> ApplicationRecordFormat.generation(reader(header)))
                .hasMessageContaining("version 9");
        byte[] value = progress.value(AWAY);
        value[0] = 9;
        assertThatThrownBy(() -> progress.readValue(KEY, reader(value))).hasMessageContaining("version 9");
        byte[] key = progress.key(KEY);
        key[1] = 2;
        assertThatThrownBy(() -> progress.readKey(reader(key))).hasMessageContaining("of kind 2");
    }

    @Test
    void malformedHashesAreRejected() {
        byte[] header = ApplicationRecordFormat.header(PLAIN);
        assertThatThrownBy(() -> ApplicationRecordFormat.read(1, new byte[] {'+'}, reader(header), new byte[0]))
                .hasMessageContaining("its key is not a topic name");
    }

    private static ApplicationMessage back(ToApplication append) {
        return ApplicationRecordFormat.read(
                12,
                ApplicationRecordFormat.key(append),
                reader(ApplicationRecordFormat.header(append)),
                append.message().payload().array());
    }

    private static void read(byte[] header) {
        ApplicationRecordFormat.read(1, new byte[] {'a'}, reader(header), new byte[0]);
    }

    private static void golden(String name, byte[] bytes) {
        assertThat(Golden.hex(bytes)).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
    }

    private static RecordReader reader(byte[] bytes) {
        return new RecordReader(bytes, () -> "heddle.app.billing, partition 0, offset 2");
    }
}

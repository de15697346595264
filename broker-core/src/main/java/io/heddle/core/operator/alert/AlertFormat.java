package io.heddle.core.operator.alert;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.alert.Alert.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The question for the alerts that fire at a node, and its answer.
 *
 * <pre>
 * question: u8 version, 1
 * answer:   u8 version, 1; alerts, to the end, each: text name; u8 1 if it is critical, else 0; i64 age in milliseconds; text summary,
 *           text remedy, text page
 * </pre>
 */
final class AlertFormat {
    private static final int VERSION = 1;

    private AlertFormat() {}

    static byte[] question() {
        return new BinaryWriter().u8(VERSION).toBytes();
    }

    /** Writes as many of the alerts as fit. */
    static byte[] answer(List<Alert> alerts, int maximumBytes) {
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        BinaryWriter entry = new BinaryWriter();
        for (Alert each : alerts) {
            entry.clear();
            entry.text(each.name())
                    .u8(each.severity() == Severity.CRITICAL ? 1 : 0)
                    .i64(each.age().toMillis())
                    .text(each.summary())
                    .text(each.remedy())
                    .text(each.page());
            if (out.length() + entry.length() > maximumBytes) {
                break;
            }
            out.raw(entry.toBytes());
        }
        return out.toBytes();
    }

    static List<Alert> answer(byte[] bytes) {
        FrameReader in = new FrameReader("an answer with alerts", bytes);
        in.version(VERSION);
        List<Alert> alerts = new ArrayList<>();
        while (in.remaining() > 0) {
            alerts.add(new Alert(
                    in.text(),
                    in.u8() == 1 ? Severity.CRITICAL : Severity.WARNING,
                    Duration.ofMillis(in.i64()),
                    in.text(),
                    in.text(),
                    in.text()));
        }
        return alerts;
    }
}

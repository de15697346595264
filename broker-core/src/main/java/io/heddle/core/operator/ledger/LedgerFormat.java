package io.heddle.core.operator.ledger;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.sys.ledger.LedgerReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The answer about the accounts of a node. The question is empty.
 *
 * <pre>
 * answer: u8 version, 2; i64 seconds;
 *         u8 number of flows; each: u8 index of the flow, i64 copies;
 *         u8 number of accounts; each: u8 index of the account, i64 difference
 * </pre>
 */
final class LedgerFormat {
    private static final int VERSION = 2;
    private static final List<Flow> FLOWS = List.of(Flow.values());
    private static final List<Account> ACCOUNTS = List.of(Account.values());

    private LedgerFormat() {}

    static byte[] question() {
        return new byte[0];
    }

    static byte[] answer(LedgerReport report) {
        BinaryWriter out = new BinaryWriter()
                .u8(VERSION)
                .i64(report.seconds())
                .u8(report.flows().size());
        report.flows().forEach((flow, copies) -> out.u8(FLOWS.indexOf(flow)).i64(copies));
        out.u8(report.differences().size());
        report.differences()
                .forEach((account, copies) -> out.u8(ACCOUNTS.indexOf(account)).i64(copies));
        return out.toBytes();
    }

    static LedgerReport answer(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about the ledger", bytes);
        in.version(VERSION);
        long seconds = in.i64();
        Map<Flow, Long> flows = new EnumMap<>(Flow.class);
        for (int left = in.u8(); left > 0; left--) {
            flows.put(FLOWS.get(in.u8()), in.i64());
        }
        Map<Account, Long> differences = new EnumMap<>(Account.class);
        for (int left = in.u8(); left > 0; left--) {
            differences.put(ACCOUNTS.get(in.u8()), in.i64());
        }
        in.finish();
        return new LedgerReport(seconds, flows, differences);
    }
}

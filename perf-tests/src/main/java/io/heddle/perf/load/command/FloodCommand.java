package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.flood.AbsentQueues;
import io.heddle.perf.load.flood.DyingClients;
import io.heddle.perf.load.flood.FastReaders;
import io.heddle.perf.load.flood.NeverAcknowledge;
import io.heddle.perf.load.flood.RetainedReplay;
import io.heddle.perf.load.flood.SmallPackets;
import io.heddle.perf.load.flood.StalledReaders;
import io.heddle.perf.load.flood.SubscribeFlood;
import io.heddle.perf.load.flood.WrongPasswords;
import io.heddle.perf.load.wire.Stamp;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One command for each kind of flood. */
@Command(
        name = "flood",
        description = "Attacks the broker for a limited time, while well-behaved clients measure.",
        synopsisSubcommandLabel = "KIND [OPTIONS]",
        mixinStandardHelpOptions = true)
final class FloodCommand {
    private static final int LARGEST_OTHER_FIELDS_BYTES = 70_000;
    private static final int MAXIMUM_SUBSCRIPTION_BYTES = 4 * 1024 * 1024;
    private static final int MAXIMUM_RETAINED = 1_000_000;
    private static final int MAXIMUM_MATCHING = 12;

    @Command(
            name = "absent-queues",
            description = "Messages to many persistent sessions of disconnected clients.",
            mixinStandardHelpOptions = true)
    int absentQueues(
            @Mixin FloodOptions options,
            @Option(names = "--sessions", paramLabel = "N", defaultValue = "100") int sessions,
            @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "1024") int payload,
            @Option(names = "--unacknowledged", paramLabel = "N", defaultValue = "20") int unacknowledged) {
        positive(sessions, unacknowledged);
        checkPayload(payload);
        return options.run(
                sessions,
                String.format(
                        Locale.ROOT,
                        "%,d absent sessions, %,d bytes, %d unacknowledged",
                        sessions,
                        payload,
                        unacknowledged),
                context -> new AbsentQueues(context, sessions, payload, unacknowledged));
    }

    @Command(
            name = "subscribe",
            description = "Persistent clients send SUBSCRIBE and UNSUBSCRIBE with many long filters.",
            mixinStandardHelpOptions = true)
    int subscribe(
            @Mixin FloodOptions options,
            @Option(names = "--clients", paramLabel = "N", defaultValue = "20") int clients,
            @Option(names = "--filters", paramLabel = "N", defaultValue = "300") int filters,
            @Option(names = "--filter-length", paramLabel = "BYTES", defaultValue = "3000") int filterLength) {
        positive(clients, filters, filterLength);
        if ((long) filters * filterLength > MAXIMUM_SUBSCRIPTION_BYTES) {
            throw new LoadException("A SUBSCRIBE can have at most 4 MiB: reduce --filters or --filter-length");
        }
        return options.run(
                clients,
                String.format(Locale.ROOT, "%,d clients, %,d filters of %,d bytes", clients, filters, filterLength),
                context -> new SubscribeFlood(context, clients, filters, filterLength));
    }

    @Command(
            name = "retained-replay",
            description = "One client repeatedly subscribes to filters that match or scan all retained messages.",
            mixinStandardHelpOptions = true)
    int retainedReplay(
            @Mixin FloodOptions options,
            @Option(names = "--messages", paramLabel = "N", defaultValue = "100000") int messages,
            @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "64") int payload,
            @Option(names = "--filters", paramLabel = "N", defaultValue = "1000") int filters,
            @Option(
                            names = "--matching",
                            paramLabel = "N",
                            description = "the number of filters that match everything; default: 10",
                            defaultValue = "10")
                    int matching) {
        positive(messages, payload, filters);
        checkPayload(payload);
        if (messages > MAXIMUM_RETAINED || matching < 0 || matching > Math.min(MAXIMUM_MATCHING, filters)) {
            throw new LoadException(
                    "--messages must be " + MAXIMUM_RETAINED + " or less, --matching 0 to " + MAXIMUM_MATCHING);
        }
        return options.run(
                2,
                String.format(
                        Locale.ROOT,
                        "%,d retained messages, %,d filters, %d of them match all",
                        messages,
                        filters,
                        matching),
                context -> new RetainedReplay(context, messages, payload, filters, matching));
    }

    @Command(
            name = "never-acknowledge",
            description = "QoS 1 subscribers that never acknowledge.",
            mixinStandardHelpOptions = true)
    int neverAcknowledge(
            @Mixin FloodOptions options,
            @Option(names = "--connections", paramLabel = "N", defaultValue = "250") int connections,
            @Option(names = "--messages", paramLabel = "N", defaultValue = "160") int messages,
            @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "60000") int payload) {
        positive(connections, messages);
        checkPayload(payload);
        return options.run(
                connections + 1,
                String.format(
                        Locale.ROOT, "%,d connections, %,d messages of %,d bytes", connections, messages, payload),
                context -> new NeverAcknowledge(context, connections, messages, payload));
    }

    @Command(
            name = "small-packets",
            description = "Clients send very short packets as fast as the broker reads.",
            mixinStandardHelpOptions = true)
    int smallPackets(
            @Mixin FloodOptions options,
            @Option(names = "--clients", paramLabel = "N", defaultValue = "10") int clients,
            @Option(
                            names = "--packet",
                            paramLabel = "TYPE",
                            description = "PUBACK or PINGREQ; default: PUBACK",
                            defaultValue = "PUBACK")
                    SmallPackets.Packet packet) {
        positive(clients);
        return options.run(
                clients,
                String.format(Locale.ROOT, "%,d clients, %s", clients, packet),
                context -> new SmallPackets(context, clients, packet));
    }

    @Command(
            name = "wrong-passwords",
            description = "CONNECTs with wrong passwords, each on a new connection.",
            mixinStandardHelpOptions = true)
    int wrongPasswords(
            @Mixin FloodOptions options,
            @Option(names = "--sockets", paramLabel = "N", defaultValue = "300") int sockets,
            @Option(
                            names = "--attacked-user",
                            paramLabel = "NAME",
                            description = "default: the user name of the well-behaved clients, or else 'attacked'")
                    String attackedUser) {
        positive(sockets);
        String ofClients = options.username() == null ? "attacked" : options.username();
        String username = attackedUser == null ? ofClients : attackedUser;
        return options.run(
                sockets,
                String.format(Locale.ROOT, "%,d sockets", sockets),
                context -> new WrongPasswords(context, sockets, username));
    }

    @Command(
            name = "dying-clients",
            description = "Many connections with many subscriptions break at the same time.",
            mixinStandardHelpOptions = true)
    int dyingClients(
            @Mixin FloodOptions options,
            @Option(names = "--clients", paramLabel = "N", defaultValue = "1000") int clients,
            @Option(
                            names = "--filters",
                            paramLabel = "N",
                            description = "of each client; default: 1000",
                            defaultValue = "1000")
                    int filters) {
        positive(clients, filters);
        return options.run(
                clients,
                String.format(Locale.ROOT, "%,d clients, %,d filters each", clients, filters),
                context -> new DyingClients(context, clients, filters));
    }

    @Command(
            name = "stalled-readers",
            description = "QoS 1 subscribers stop reading, while publishers continue.",
            mixinStandardHelpOptions = true)
    int stalledReaders(
            @Mixin FloodOptions options,
            @Option(names = "--readers", paramLabel = "N", defaultValue = "3000") int readers,
            @Option(names = "--publishers", paramLabel = "N", defaultValue = "4") int publishers,
            @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "1024") int payload,
            @Option(names = "--unacknowledged", paramLabel = "N", defaultValue = "20") int unacknowledged) {
        positive(readers, publishers, unacknowledged);
        checkPayload(payload);
        return options.run(
                readers + publishers,
                String.format(Locale.ROOT, "%,d readers, %,d publishers, %,d bytes", readers, publishers, payload),
                context -> new StalledReaders(context, readers, publishers, payload, unacknowledged));
    }

    @Command(
            name = "fast-readers",
            description = "Large QoS 0 messages to fast subscribers; counts the lost copies.",
            mixinStandardHelpOptions = true)
    int fastReaders(
            @Mixin FloodOptions options,
            @Option(names = "--publishers", paramLabel = "N", defaultValue = "4") int publishers,
            @Option(names = "--readers", paramLabel = "N", defaultValue = "20") int readers,
            @Option(names = "--payload", paramLabel = "BYTES", defaultValue = "65000") int payload) {
        positive(publishers, readers);
        checkPayload(payload);
        return options.run(
                publishers + readers,
                String.format(Locale.ROOT, "%,d publishers, %,d readers, %,d bytes", publishers, readers, payload),
                context -> new FastReaders(context, publishers, readers, payload));
    }

    private static void positive(int... values) {
        for (int value : values) {
            if (value < 1) {
                throw new LoadException("The sizes of a flood must be 1 or more, not " + value);
            }
        }
    }

    private static void checkPayload(int bytes) {
        if (bytes < Stamp.BYTES || bytes > NetworkLoop.BUFFER_BYTES - LARGEST_OTHER_FIELDS_BYTES) {
            throw new LoadException("--payload " + bytes + " is out of range: use " + Stamp.BYTES + " to "
                    + (NetworkLoop.BUFFER_BYTES - LARGEST_OTHER_FIELDS_BYTES) + " bytes");
        }
    }
}

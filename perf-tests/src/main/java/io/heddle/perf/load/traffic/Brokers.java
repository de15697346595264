package io.heddle.perf.load.traffic;

import io.heddle.perf.load.traffic.BrokerAccess.Client;
import io.heddle.perf.load.traffic.BrokerAccess.ClientKind;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The brokers of a load, one or the nodes of a cluster, and the clients of each. A client always connects to the same one. Immutable.
 *
 * @param addresses at least one
 */
public record Brokers(List<InetSocketAddress> addresses, Spread spread) {
    private static final long SEED = 0x68656464;

    /** How the clients are divided among the brokers. */
    public enum Spread {
        /** Of as many consecutive clients of a kind as there are brokers, each broker gets one, in random order. The seed is fixed. */
        RANDOM,
        /** The publishers and subscribers of a group have the same broker. The groups take turns. */
        TOGETHER,
        /** As together, but the subscribers have the broker after that of their publishers. */
        APART
    }

    public Brokers {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("There must be a broker");
        }
    }

    InetSocketAddress of(Client client) {
        int index = switch (spread) {
            case RANDOM -> random(client);
            case TOGETHER -> client.group();
            case APART -> client.group() + (client.kind() == ClientKind.SUBSCRIBER ? 1 : 0);
        };
        return addresses.get(index % addresses.size());
    }

    private int random(Client client) {
        int round = client.number() / addresses.size();
        long ofKind = (long) client.kind().name().hashCode() << Integer.SIZE;
        SplittableRandom random = new SplittableRandom(SEED + ofKind + round);
        int[] order = new int[addresses.size()];
        for (int i = 0; i < order.length; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order[client.number() % order.length];
    }

    /** Returns, for example, {@code "127.0.0.1:1883, 127.0.0.1:1884"}. */
    @Override
    public String toString() {
        return addresses.stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(", "));
    }
}

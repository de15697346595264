package io.heddle.app.e2e.faults;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.heddle.app.e2e.faults.MessageStream.Kind;
import io.heddle.app.e2e.faults.RoamingClient.Role;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a run: publishers, subscribers that stay, move or leave for a while, groups, publishers of retained messages, and clients
 * with wills, each on all paths. They run on one event loop; the methods belong to the test thread.
 */
final class ClientLoad implements AutoCloseable {
    static final Class<? extends Channel> CHANNEL = NioSocketChannel.class;

    /** The prefix of the topics between which some subscribers move. */
    private static final String TOPICS = "f/";

    /** The prefix of the topics of retained messages. */
    static final String RETAINED = "r/";

    private static final String WILLS = "w/";
    private static final int TOPIC_COUNT = 6;
    private static final int RETAINED_TOPICS = 3;
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration RETAINED_INTERVAL = Duration.ofMillis(200);
    private static final Duration ANSWERS_WITHIN = Duration.ofMinutes(1);
    private static final List<String> PATHS = List.of("direct", "device", "app");

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Supplier<List<Integer>> ports;
    private final Random random;
    private final Duration silence;
    // Owned by the event loop.
    private final Ledger ledger = new Ledger();
    private final List<RoamingClient> clients = new ArrayList<>();
    private final List<RoamingClient> retaining = new ArrayList<>();
    private boolean resting;

    private ClientLoad(Supplier<List<Integer>> ports, long seed, Duration silence) {
        this.ports = ports;
        this.silence = silence;
        this.random = new Random(seed);
    }

    /**
     * Connects all clients, which begin to publish at once.
     *
     * @param ports of the brokers that listen; any thread
     * @param silence after which a client gives up a connection
     */
    static ClientLoad begin(Supplier<List<Integer>> ports, long seed, Duration silence) throws Exception {
        ClientLoad load = new ClientLoad(ports, seed, silence);
        load.ask(load::populate);
        return load;
    }

    /** Runs a task on the event loop. */
    <T extends @Nullable Object> T ask(Callable<T> task) throws Exception {
        return loop.submit(task).get(ANSWERS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    }

    Ledger ledger() {
        return ledger;
    }

    List<RoamingClient> clients() {
        return clients;
    }

    private int populate() {
        for (String path : PATHS) {
            boolean persistent = !path.equals("direct");
            for (int i = 0; i < 2; i++) {
                publisher(id(path, "pub", i), persistent, i);
            }
            subscriber(id(path, "all", 0), persistent, List.of(TOPICS + "+", WILLS + "#"));
            RoamingClient moving = subscriber(id(path, "moving", 0), persistent, List.of(TOPICS + "0"));
            often(800, 2_500, () -> moving.moveTo(TOPICS + random.nextInt(TOPIC_COUNT)));
            RoamingClient leaving = subscriber(id(path, "leaving", 0), persistent, List.of(TOPICS + "+"));
            often(3_000, 9_000, () -> leave(leaving));
            willClient(id(path, "will", 0), persistent);
            subscriber(id(path, "mixed", 0), persistent, List.of("$share/mixed/" + TOPICS + "+"));
            if (persistent) {
                subscriber(id(path, "share", 0), true, List.of("$share/lasting/" + TOPICS + "+"));
                subscriber(id(path, "share", 1), true, List.of("$share/lasting/" + TOPICS + "+"));
                retainingPublisher(id(path, "retain", 0));
            }
        }
        clients.forEach(RoamingClient::start);
        return clients.size();
    }

    private static String id(String path, String purpose, int number) {
        return path + "-" + purpose + "-" + number;
    }

    private RoamingClient client(Role role) {
        RoamingClient client = new RoamingClient(role, loop, ledger, ports, random);
        clients.add(client);
        return client;
    }

    private void publisher(String id, boolean persistent, int number) {
        List<MessageStream> streams = new ArrayList<>();
        for (int i = 0; i < TOPIC_COUNT / 2; i++) {
            String topic = TOPICS + (number + 2 * i);
            for (int qos = 0; qos <= 2; qos++) {
                streams.add(ledger.stream(id + "." + topic + "." + qos, topic, qos, Kind.MESSAGES));
            }
        }
        client(new Role(id, persistent, List.of(), streams, INTERVAL, null, silence));
    }

    private RoamingClient subscriber(String id, boolean persistent, List<String> filters) {
        return client(new Role(id, persistent, filters, List.of(), INTERVAL, null, silence));
    }

    private void retainingPublisher(String id) {
        List<MessageStream> streams = IntStream.range(0, RETAINED_TOPICS)
                .mapToObj(i -> ledger.stream(id + "." + i, RETAINED + id + "/" + i, 1 + i % 2, Kind.RETAINED))
                .toList();
        retaining.add(client(new Role(id, true, List.of(), streams, RETAINED_INTERVAL, null, silence)));
    }

    private void willClient(String id, boolean persistent) {
        MessageStream wills = ledger.stream(id + ".will", WILLS + id, 2, Kind.WILLS);
        RoamingClient client = client(new Role(id, persistent, List.of(), List.of(), INTERVAL, wills, silence));
        often(2_000, 6_000, () -> {
            if (client.isConnected() && random.nextInt(4) > 0) {
                client.cut();
            } else {
                leave(client);
            }
        });
    }

    private void leave(RoamingClient client) {
        if (!client.isAway()) {
            client.leaveFor(Duration.ofMillis(random.nextInt(200, 2_500)));
        }
    }

    /** Repeats a task after random times on the event loop. */
    private void often(int fromMillis, int toMillis, Runnable task) {
        var _ = loop.schedule(
                () -> {
                    if (!resting) {
                        task.run();
                    }
                    often(fromMillis, toMillis, task);
                },
                random.nextInt(fromMillis, toMillis),
                MILLISECONDS);
    }

    /** No client changes its session, its subscriptions or retained messages, or all go on. */
    void rest(boolean wanted) throws Exception {
        ask(() -> {
            resting = wanted;
            retaining.forEach(each -> each.publishes(!wanted));
            return wanted;
        });
    }

    /** Returns whether all messages of the publishers of retained messages are acknowledged. */
    boolean isRetainingIdle() throws Exception {
        return ask(() -> retaining.stream().allMatch(each -> each.publishing().isIdle()));
    }

    /** Measures the times without service anew. */
    void measure() throws Exception {
        ask(() -> {
            clients.forEach(each -> each.service().begin());
            return clients.size();
        });
    }

    /** Returns the longest time without service of each client since {@link #measure}. */
    Map<String, Duration> withoutService() throws Exception {
        return ask(() -> clients.stream()
                .collect(Collectors.toMap(
                        RoamingClient::clientId, each -> each.service().longest())));
    }

    /** Returns when each client that wants service is served with something that was sent after this call. */
    void awaitService() throws Exception {
        long since = ask(ledger::now);
        Waits.until(
                "all clients are served",
                () -> ask(() -> clients.stream().allMatch(each -> each.service().isServedSince(since))),
                this::describe);
    }

    /** Returns when everything is delivered that was acknowledged up to the moment. */
    void awaitDelivered(long upTo) throws Exception {
        Waits.until(
                "all acknowledged messages are delivered",
                () -> ask(() -> ledger.missing(upTo).isEmpty()),
                () -> "missing:\n" + String.join("\n", ask(() -> ledger.missing(upTo))) + "\n" + describe());
    }

    /** Describes the clients and what was forbidden. */
    String describe() throws Exception {
        return ask(() -> clients.stream().map(RoamingClient::toString).collect(Collectors.joining("\n"))
                + "\nforbidden:\n" + String.join("\n", ledger.reports()));
    }

    /** Describes how many messages the brokers have refused. */
    String refusals() throws Exception {
        return ask(() ->
                clients.stream().mapToInt(each -> each.publishing().refused()).sum() + " refused");
    }

    /** Publishes no further messages. */
    void stopPublishing() throws Exception {
        ask(() -> {
            clients.forEach(each -> each.publishes(false));
            return clients.size();
        });
    }

    /** Closes all connections. */
    @Override
    public void close() {
        loop.execute(() -> clients.forEach(RoamingClient::leave));
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}

package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.faults.MessageStream.Sent;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An MQTT 5.0 client that connects to any listening broker, and to another one when its connection ends or is silent. States: away,
 * connecting, connected. Confined to the clients' event loop.
 */
final class RoamingClient {
    private static final long PING_NANOS = Duration.ofMillis(500).toNanos();
    private static final int WATCH_MILLIS = 100;
    private static final int FIRST_BACKOFF_MILLIS = 20;
    private static final int LONGEST_BACKOFF_MILLIS = 500;
    private static final int MAXIMUM_PACKET_BYTES = 1 << 16;
    private static final int REMEMBERED_EVENTS = 12;

    /**
     * What a client is for.
     *
     * @param persistent whether the session outlives the connection
     * @param filters of its subscriptions
     * @param streams that it publishes
     * @param interval between two messages
     * @param wills the stream of its wills; null for none
     * @param silence after which it gives up a connection
     */
    record Role(
            String clientId,
            boolean persistent,
            List<String> filters,
            List<MessageStream> streams,
            Duration interval,
            @Nullable MessageStream wills,
            Duration silence) {}

    private final Role role;
    private final EventLoop loop;
    private final Ledger ledger;
    private final Supplier<List<Integer>> ports;
    private final Random random;
    private final Service service = new Service();
    private final Publishing publishing;
    private final Receiving receiving;
    private final Deque<String> events = new ArrayDeque<>();
    private @Nullable Connection current;
    private boolean away = true;
    private boolean publishes = true;
    private int failures;
    private int lastPort;

    /** @param ports of the brokers that listen */
    RoamingClient(Role role, EventLoop loop, Ledger ledger, Supplier<List<Integer>> ports, Random random) {
        this.role = role;
        this.loop = loop;
        this.ledger = ledger;
        this.ports = ports;
        this.random = random;
        this.publishing = new Publishing(ledger, role.streams(), service);
        this.receiving = new Receiving(ledger, role.clientId(), role.persistent(), role.filters(), service);
    }

    String clientId() {
        return role.clientId();
    }

    Service service() {
        return service;
    }

    Publishing publishing() {
        return publishing;
    }

    boolean isConnected() {
        Connection connection = current;
        return connection != null && connection.accepted;
    }

    boolean isAway() {
        return away;
    }

    /** Describes the client and its latest connections. */
    @Override
    public String toString() {
        return role.clientId() + (away ? " (away)" : isConnected() ? " (connected)" : " (not connected)")
                + " without service for " + service.longest().toMillis() + " ms, " + publishing.refused()
                + " refused: " + events;
    }

    void start() {
        away = false;
        service.want(true);
        var _ = loop.scheduleAtFixedRate(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        if (!role.streams().isEmpty()) {
            long nanos = role.interval().toNanos();
            var _ = loop.scheduleAtFixedRate(this::publishNext, random.nextLong(nanos), nanos, TimeUnit.NANOSECONDS);
        }
        connect();
    }

    /** Publishes no further messages, or goes on. */
    void publishes(boolean wanted) {
        publishes = wanted;
    }

    private void publishNext() {
        Connection connection = current;
        if (publishes && connection != null && connection.accepted) {
            publishing.publishNext(connection.channel());
        }
    }

    /** Subscribes to another filter instead of the present one. */
    void moveTo(String filter) {
        Connection connection = current;
        if (connection != null && connection.accepted) {
            receiving.moveTo(filter, connection.channel());
        }
    }

    /** Breaks the connection without DISCONNECT. */
    void cut() {
        Connection connection = current;
        if (connection != null) {
            if (connection.channel != null) {
                connection.channel.config().setOption(ChannelOption.SO_LINGER, 0);
            }
            connection.end("cut by the test");
            service.want(true);
        }
    }

    /** Leaves with DISCONNECT and comes back after a while. */
    void leaveFor(Duration time) {
        leave();
        var _ = loop.schedule(this::comeBack, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Leaves with DISCONNECT. */
    void leave() {
        away = true;
        service.want(false);
        Connection connection = current;
        if (connection != null) {
            if (connection.accepted) {
                var _ = connection
                        .channel()
                        .writeAndFlush(MqttMessageBuilders.disconnect()
                                .reasonCode((byte) 0)
                                .build());
                connection.withdrawWill();
            }
            connection.end("left");
        }
    }

    private void comeBack() {
        if (away) {
            away = false;
            service.want(true);
            connect();
        }
    }

    private void connect() {
        List<Integer> listening = ports.get();
        if (away || current != null) {
            return;
        }
        if (listening.isEmpty()) {
            retryLater();
            return;
        }
        int port = choose(listening);
        lastPort = port;
        Connection connection = new Connection(port);
        current = connection;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(ClientLoad.CHANNEL)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new MqttDecoder(MAXIMUM_PACKET_BYTES), MqttEncoder.INSTANCE, connection);
                    }
                });
        var _ = bootstrap
                .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .addListener(result -> {
                    if (!result.isSuccess()) {
                        connection.end("refused");
                    }
                });
    }

    /** Returns any broker but the last one, which may be frozen, if there is another one. */
    private int choose(List<Integer> listening) {
        List<Integer> others =
                listening.stream().filter(each -> each != lastPort).toList();
        List<Integer> from = others.isEmpty() ? listening : others;
        return from.get(random.nextInt(from.size()));
    }

    private void retryLater() {
        failures++;
        int longest = Math.min(LONGEST_BACKOFF_MILLIS, FIRST_BACKOFF_MILLIS << Math.min(failures, 10));
        var _ = loop.schedule(this::connect, random.nextInt(longest / 2, longest), TimeUnit.MILLISECONDS);
    }

    private void watch() {
        Connection connection = current;
        if (connection == null) {
            return;
        }
        long now = System.nanoTime();
        if (now - connection.heardNanos > role.silence().toNanos()) {
            connection.end("silent");
        } else if (connection.accepted && connection.pingMoment == 0 && now - connection.pingNanos > PING_NANOS) {
            connection.pingNanos = now;
            connection.pingMoment = ledger.next();
            var _ = connection
                    .channel()
                    .writeAndFlush(MqttMessage.PINGREQ, connection.channel().voidPromise());
        }
    }

    private void note(String event) {
        events.addLast(event);
        if (events.size() > REMEMBERED_EVENTS) {
            events.removeFirst();
        }
    }

    /** One network connection, from the attempt to its end. */
    private final class Connection extends ChannelInboundHandlerAdapter {
        final int port;

        @Nullable
        Channel channel;

        @Nullable
        Sent will;

        boolean accepted;
        boolean ended;
        long heardNanos = System.nanoTime();
        long heardMoment;
        long connectMoment;
        long pingNanos;
        // When the unanswered PINGREQ was sent; 0 without one.
        long pingMoment;

        Connection(int port) {
            this.port = port;
        }

        Channel channel() {
            if (channel == null) {
                throw new IllegalStateException("not connected");
            }
            return channel;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            if (ended) {
                var _ = context.close();
                return;
            }
            connectMoment = ledger.next();
            will = role.wills() == null ? null : ledger.announceWill(role.wills());
            var _ = context.writeAndFlush(Packets.connect(role, will), context.voidPromise());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object packet) {
            if (ended) {
                ReferenceCountUtil.release(packet);
                return;
            }
            heardNanos = System.nanoTime();
            heardMoment = ledger.now();
            MqttMessage message = (MqttMessage) packet;
            if (message.decoderResult().isFailure()) {
                ledger.report(role.clientId() + " has received no packet, but " + message.decoderResult());
                end("malformed");
                return;
            }
            Channel of = context.channel();
            switch (message.fixedHeader().messageType()) {
                case CONNACK -> onConnAck((MqttConnAckMessage) message);
                case PUBLISH -> receiving.onPublish((MqttPublishMessage) message, of);
                case PUBREL -> receiving.onPubRel(message, of);
                case SUBACK -> receiving.onSubAck((MqttSubAckMessage) message, of);
                case UNSUBACK -> receiving.onUnsubAck(message);
                case PUBACK, PUBREC, PUBCOMP -> publishing.onAnswer(message, of);
                case PINGRESP -> onPong();
                case DISCONNECT -> end("DISCONNECT " + Packets.disconnectReason(message));
                default -> ledger.report(role.clientId() + " has received " + message);
            }
        }

        private void onConnAck(MqttConnAckMessage packet) {
            int reason = Byte.toUnsignedInt(
                    packet.variableHeader().connectReturnCode().byteValue());
            if (reason != 0) {
                end("CONNACK " + reason);
                return;
            }
            accepted = true;
            failures = 0;
            note("connected to " + port);
            receiving.connected(packet.variableHeader().isSessionPresent(), channel());
            publishing.resume(channel());
            signUnlessMessagesDo(connectMoment);
        }

        private void onPong() {
            signUnlessMessagesDo(pingMoment);
            pingMoment = 0;
        }

        private void signUnlessMessagesDo(long moment) {
            if (role.filters().isEmpty() && role.streams().isEmpty()) {
                service.sign(moment);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end("closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (!(cause instanceof IOException)) {
                ledger.report(role.clientId() + " has failed: " + cause);
            }
            end(String.valueOf(cause.getMessage()));
        }

        /** The will is not due: the client disconnects normally. A broker that dies now may not know that. */
        void withdrawWill() {
            if (will != null) {
                ledger.willIsPossible(will);
                will = null;
            }
        }

        /** The client gives the connection up, or it has ended. */
        void end(String reason) {
            if (ended) {
                return;
            }
            ended = true;
            note(reason);
            if (channel != null) {
                var _ = channel.close();
            }
            Sent due = will;
            if (due != null && accepted && role.persistent()) {
                ledger.willIsDue(due, heardMoment);
            } else if (due != null) {
                ledger.willIsPossible(due);
            }
            current = null;
            if (accepted && !role.persistent()) {
                receiving.sessionEnded();
                publishing.abandon();
            }
            if (!away) {
                retryLater();
            }
        }
    }
}

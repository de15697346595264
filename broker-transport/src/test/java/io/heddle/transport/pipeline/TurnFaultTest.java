package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.transport.connection.ListenerConnections;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.connection.UnsentOutput;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Tests a bug at the end of an event loop's turn. */
class TurnFaultTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TransportMetrics metrics = new TransportMetrics(registry);
    private final EmbeddedChannel brokenChannel = new EmbeddedChannel();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final NettyEventLoop loop = new NettyEventLoop(brokenChannel.eventLoop(), 0);

    @Test
    void connectionThatFailsToWriteIsClosedAndOthersAreWritten() {
        NettyConnection broken = connection(brokenChannel);
        broken.writeThrough(failing());
        NettyConnection other = connection(channel);
        broken.send(PingRespPacket.INSTANCE);
        other.send(PingRespPacket.INSTANCE);

        brokenChannel.runPendingTasks();

        ByteBuf written = channel.readOutbound();
        assertThat(ByteBufUtil.hexDump(written)).isEqualTo("d000");
        written.release();
        assertThat(other.isOpen()).isTrue();
        assertThat(broken.isOpen()).isFalse();
        assertThat(brokenChannel.isOpen()).isFalse();
        assertThat(registry.get("heddle.transport.faults").counter().count()).isOne();
        assertThat(registry.get("heddle.packets.sent")
                        .tag("type", "pingresp")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    private NettyConnection connection(EmbeddedChannel of) {
        ListenerConnections listener = new ListenerConnections(
                "mqtt", ListenerKind.TCP, new Limit("the connections", 10), EnumSet.allOf(MqttVersion.class), registry);
        NettyConnection connection = new NettyConnection(
                of, loop, Wire.LIMITS, listener, new UnsentOutput(Long.MAX_VALUE, registry), metrics);
        connection.setVersion(MqttVersion.V5, ConnectProperties.NONE);
        return connection;
    }

    private static ChannelOutboundInvoker failing() {
        return (ChannelOutboundInvoker) Proxy.newProxyInstance(
                ChannelOutboundInvoker.class.getClassLoader(),
                new Class<?>[] {ChannelOutboundInvoker.class},
                (_, _, arguments) -> {
                    ReferenceCountUtil.release(arguments[0]);
                    throw new IllegalStateException("a bug");
                });
    }
}

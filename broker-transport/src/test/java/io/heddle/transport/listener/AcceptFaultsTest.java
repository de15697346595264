package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.connection.TransportMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.uring.IoUringChannelOption;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AcceptFaultsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedChannel listening =
            new EmbeddedChannel(new AcceptFaults(new TransportMetrics(registry), System::nanoTime));

    @Test
    void acceptingPausesAndResumesWithoutFileDescriptors() {
        listening.freezeTime();
        listening.pipeline().fireExceptionCaught(new IOException("Too many open files"));
        listening.pipeline().fireExceptionCaught(new IOException("Too many open files"));

        listening.checkException();
        assertThat(registry.get("heddle.connections.refused")
                        .tag("reason", "no_descriptor")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(listening.config().isAutoRead()).isFalse();

        listening.advanceTimeBy(1, TimeUnit.SECONDS);
        listening.runScheduledPendingTasks();
        assertThat(listening.config().isAutoRead()).isTrue();
        var _ = listening.close();
    }

    @Test
    void deadPeersAreProbedIfTheTransportSupportsIt() {
        assertThat(Transport.NIO.configureProbes(new ServerBootstrap()).config().childOptions())
                .isEmpty();
        if (Transport.EPOLL.isAvailable()) {
            assertThat(Transport.EPOLL
                            .configureProbes(new ServerBootstrap())
                            .config()
                            .childOptions())
                    .containsEntry(EpollChannelOption.TCP_KEEPIDLE, 300)
                    .containsEntry(EpollChannelOption.TCP_KEEPINTVL, 30)
                    .containsEntry(EpollChannelOption.TCP_KEEPCNT, 4);
        }
        if (Transport.IO_URING.isAvailable()) {
            assertThat(Transport.IO_URING
                            .configureProbes(new ServerBootstrap())
                            .config()
                            .childOptions())
                    .containsEntry(IoUringChannelOption.TCP_KEEPIDLE, 300);
        }
    }
}

package io.heddle.transport.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** The Netty transport of the event loops. */
public enum Transport {
    /** epoll if available, otherwise NIO. */
    AUTO,
    EPOLL,
    IO_URING,
    NIO;

    // Of TCP keep-alive, for clients that never ping: a dead one is detected within seven minutes.
    private static final int PROBE_IDLE_SECONDS = 300;
    private static final int PROBE_INTERVAL_SECONDS = 30;
    private static final int PROBES = 4;

    /**
     * Resolves AUTO and checks that the transport is available.
     *
     * @throws IllegalArgumentException with one sentence if it is not available on this machine
     */
    Transport available() {
        return switch (this) {
            case AUTO -> Epoll.isAvailable() ? EPOLL : NIO;
            case NIO -> this;
            case EPOLL, IO_URING -> require();
        };
    }

    public boolean isAvailable() {
        return switch (this) {
            case AUTO, NIO -> true;
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
        };
    }

    private Transport require() {
        if (!isAvailable()) {
            throw new IllegalArgumentException("transport " + this + " is not available on this machine: use AUTO");
        }
        return this;
    }

    IoHandlerFactory ioHandlers() {
        return switch (available()) {
            case AUTO, NIO -> NioIoHandler.newFactory();
            case EPOLL -> EpollIoHandler.newFactory();
            case IO_URING -> IoUringIoHandler.newFactory();
        };
    }

    /** Sets the times of TCP keep-alive; NIO uses those of the system. */
    ServerBootstrap configureProbes(ServerBootstrap bootstrap) {
        return switch (available()) {
            case AUTO, NIO -> bootstrap;
            case EPOLL ->
                bootstrap
                        .childOption(EpollChannelOption.TCP_KEEPIDLE, PROBE_IDLE_SECONDS)
                        .childOption(EpollChannelOption.TCP_KEEPINTVL, PROBE_INTERVAL_SECONDS)
                        .childOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
            case IO_URING ->
                bootstrap
                        .childOption(IoUringChannelOption.TCP_KEEPIDLE, PROBE_IDLE_SECONDS)
                        .childOption(IoUringChannelOption.TCP_KEEPINTVL, PROBE_INTERVAL_SECONDS)
                        .childOption(IoUringChannelOption.TCP_KEEPCNT, PROBES);
        };
    }

    Class<? extends SocketChannel> clientChannel() {
        return switch (available()) {
            case AUTO, NIO -> NioSocketChannel.class;
            case EPOLL -> EpollSocketChannel.class;
            case IO_URING -> IoUringSocketChannel.class;
        };
    }

    Class<? extends ServerChannel> serverChannel() {
        return switch (available()) {
            case AUTO, NIO -> NioServerSocketChannel.class;
            case EPOLL -> EpollServerSocketChannel.class;
            case IO_URING -> IoUringServerSocketChannel.class;
        };
    }
}

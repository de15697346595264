package io.heddle.transport.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/** How the event loops talk to the operating system. */
public enum Transport {
    /** epoll where there is one, else NIO. */
    AUTO,
    EPOLL,
    IO_URING,
    NIO;

    /**
     * The transport itself, with AUTO resolved.
     *
     * @throws IllegalArgumentException with one sentence when this machine does not have it
     */
    Transport available() {
        return switch (this) {
            case AUTO -> Epoll.isAvailable() ? EPOLL : NIO;
            case NIO -> this;
            case EPOLL, IO_URING -> require();
        };
    }

    /** Whether this machine has it. */
    public boolean isAvailable() {
        return switch (this) {
            case AUTO, NIO -> true;
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
        };
    }

    private Transport require() {
        if (!isAvailable()) {
            throw new IllegalArgumentException(
                    "this machine has no " + this + ": set the transport to AUTO, which takes what there is");
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

    /** Sets how dead peers are found; NIO leaves it to the system but for the probes themselves. */
    ServerBootstrap probe(ServerBootstrap bootstrap, KeepAliveProbes probes) {
        int idleSeconds = (int) probes.idle().toSeconds();
        int intervalSeconds = (int) probes.interval().toSeconds();
        return switch (available()) {
            case AUTO, NIO -> bootstrap;
            case EPOLL ->
                bootstrap
                        .childOption(EpollChannelOption.TCP_KEEPIDLE, idleSeconds)
                        .childOption(EpollChannelOption.TCP_KEEPINTVL, intervalSeconds)
                        .childOption(EpollChannelOption.TCP_KEEPCNT, probes.count());
            case IO_URING ->
                bootstrap
                        .childOption(IoUringChannelOption.TCP_KEEPIDLE, idleSeconds)
                        .childOption(IoUringChannelOption.TCP_KEEPINTVL, intervalSeconds)
                        .childOption(IoUringChannelOption.TCP_KEEPCNT, probes.count());
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

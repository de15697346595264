package io.heddle.transport.listener;

import io.heddle.transport.connection.NettyEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loop threads of this node ({@code heddle-loop-N}) and one thread that accepts connections for them
 * ({@code heddle-accept-0}). Created before the sessions and the server that use them; closed after both.
 */
public final class EventLoops implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TASKS_AT_A_TIME = Duration.ofMillis(4);

    private final Transport transport;
    private final EventLoopGroup acceptors;
    private final EventLoopGroup loops;
    private final List<NettyEventLoop> all = new ArrayList<>();
    private final IdentityHashMap<EventLoop, NettyEventLoop> byLoop = new IdentityHashMap<>();

    /**
     * Starts the threads.
     *
     * @param count the number of loops, at least 1; usually the number of processors
     * @throws IllegalArgumentException if the transport is not available on this machine
     */
    public EventLoops(Transport transport, int count) {
        this.transport = transport.available();
        this.acceptors = new MultiThreadIoEventLoopGroup(1, threads("heddle-accept-"), this.transport.ioHandlers());
        this.loops = new Loops(count, threads("heddle-loop-"), this.transport.ioHandlers());
        for (EventExecutor executor : loops) {
            EventLoop loop = (EventLoop) executor;
            NettyEventLoop wrapped = new NettyEventLoop(loop, all.size());
            all.add(wrapped);
            byLoop.put(loop, wrapped);
            // Netty starts a loop's thread with its first task; starting all of them now gives threads and loops
            // the same numbers.
            loop.execute(() -> {});
        }
    }

    /** Event loops that return to their sockets after a few milliseconds of tasks; Netty's default is up to a second. */
    private static final class Loops extends MultiThreadIoEventLoopGroup {
        Loops(int count, ThreadFactory threads, IoHandlerFactory ioHandlers) {
            super(count, threads, ioHandlers);
        }

        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory ioHandlers, Object... args) {
            return new SingleThreadIoEventLoop(
                    this,
                    executor,
                    ioHandlers,
                    Integer.MAX_VALUE,
                    RejectedExecutionHandlers.reject(),
                    TASKS_AT_A_TIME.toMillis());
        }
    }

    private static ThreadFactory threads(String prefix) {
        AtomicInteger number = new AtomicInteger();
        // Netty stores its buffer caches and recyclers in this kind of thread.
        return task -> new FastThreadLocalThread(task, prefix + number.getAndIncrement());
    }

    /** Returns all loops, each at its index. */
    public List<NettyEventLoop> all() {
        return List.copyOf(all);
    }

    /** Returns the transport in use; never AUTO. */
    public Transport transport() {
        return transport;
    }

    NettyEventLoop of(EventLoop loop) {
        NettyEventLoop wrapped = byLoop.get(loop);
        if (wrapped == null) {
            throw new IllegalArgumentException("unknown event loop: " + loop);
        }
        return wrapped;
    }

    /** Returns the group that accepts connections. */
    public EventLoopGroup acceptors() {
        return acceptors;
    }

    /** Returns the group of all loops. */
    public EventLoopGroup loops() {
        return loops;
    }

    /** Returns the class of the channels that connect to other nodes. */
    public Class<? extends SocketChannel> clientChannel() {
        return transport.clientChannel();
    }

    public Class<? extends ServerChannel> serverChannel() {
        return transport.serverChannel();
    }

    /** Runs the due tasks and stops the threads; waits up to five seconds for each group. */
    @Override
    public void close() {
        Future<?> accepting = acceptors.shutdownGracefully(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        Future<?> running = loops.shutdownGracefully(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        accepting.awaitUninterruptibly(CLOSE_TIMEOUT.toMillis());
        running.awaitUninterruptibly(CLOSE_TIMEOUT.toMillis());
    }
}

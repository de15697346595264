package io.heddle.perf.load.client;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * A selector with a read buffer and a write buffer that all connections share. The read buffer is large, because a system call costs 3 µs
 * for any amount of data. Owner: a single calling thread. The write buffer is empty between calls.
 */
public final class NetworkLoop implements AutoCloseable {
    /** The largest packet that can be read or written. */
    public static final int BUFFER_BYTES = 256 * 1024;

    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final KeepAlive keepAlive = new KeepAlive();
    private long reads;
    private long writes;

    public NetworkLoop() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new LoadException("The generator cannot open a selector: " + e.getMessage(), e);
        }
    }

    /**
     * Serves readable and writable connections.
     *
     * @param waitMillis the maximum wait for the first of them; 0 does not wait
     */
    public void turn(long waitMillis) {
        try {
            if (waitMillis == 0) {
                selector.selectNow(NetworkLoop::serve);
            } else {
                selector.select(NetworkLoop::serve, waitMillis);
            }
        } catch (IOException e) {
            throw new LoadException("The generator cannot wait for its connections: " + e.getMessage(), e);
        }
        keepAlive.turn(System.nanoTime());
    }

    private static void serve(SelectionKey key) {
        ((Connection) key.attachment()).ready(key.readyOps());
    }

    /** The number of read system calls. */
    public long reads() {
        return reads;
    }

    /** The number of write system calls. */
    public long writes() {
        return writes;
    }

    Selector selector() {
        return selector;
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    ByteBuffer in() {
        return in;
    }

    ByteBuffer out() {
        return out;
    }

    void countRead() {
        reads++;
    }

    void countWrite() {
        writes++;
    }

    @Override
    public void close() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new LoadException("The generator cannot close its sockets: " + e.getMessage(), e);
        }
    }
}

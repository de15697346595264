package io.heddle.transport.listener;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.pipeline.WebSocketFrames;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** An MQTT 5.0 client that records the topics of received messages on its own thread, and can stop reading. */
final class ReadingClient {
    private static final int MAXIMUM_PACKET_BYTES = 1 << 24;

    private final Socket socket;
    private final InputStream in;
    private final List<String> topics = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile boolean closing;
    private volatile CountDownLatch mayRead = new CountDownLatch(0);

    private ReadingClient(Socket socket, InputStream in, byte[] connect) throws IOException {
        this.socket = socket;
        this.in = in;
        socket.getOutputStream().write(connect);
        reader = Thread.ofPlatform().name("reading-client").start(this::read);
    }

    /** Returns a socket with a small buffer, so that a server notices soon that nothing is read. */
    static Socket connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(server, 60_000);
        return socket;
    }

    /** Creates a client of MQTT over this socket. */
    static ReadingClient of(Socket socket) throws IOException {
        return new ReadingClient(socket, socket.getInputStream(), GoldenPackets.connect(MqttVersion.V5));
    }

    /** Creates a client of MQTT over WebSocket. */
    static ReadingClient ofWebSocket(Socket socket) throws IOException {
        InputStream frames = WebSocketFrames.open(socket, "/mqtt");
        return new ReadingClient(
                socket,
                frames,
                WebSocketFrames.frame(
                        WebSocketFrames.FINAL | WebSocketFrames.BINARY, GoldenPackets.connect(MqttVersion.V5)));
    }

    private void read() {
        EmbeddedChannel decoding = new EmbeddedChannel(new MqttDecoder(MAXIMUM_PACKET_BYTES));
        // Netty's decoder learns the version from CONNECT, in both directions.
        decoding.writeInbound(Unpooled.wrappedBuffer(GoldenPackets.connect(MqttVersion.V5)));
        ReferenceCountUtil.release(decoding.readInbound());
        byte[] buffer = new byte[8 * 1024];
        try {
            for (int read = 0; read >= 0; read = in.read(buffer)) {
                decoding.writeInbound(Unpooled.copiedBuffer(buffer, 0, read));
                for (Object next = decoding.readInbound(); next != null; next = decoding.readInbound()) {
                    if (next instanceof MqttPublishMessage publish) {
                        topics.add(publish.variableHeader().topicName());
                    }
                    ReferenceCountUtil.release(next);
                }
                mayRead.await();
            }
        } catch (IOException | InterruptedException end) {
            if (!closing) {
                throw new IllegalStateException("the client failed while reading", end);
            }
        } finally {
            decoding.finishAndReleaseAll();
        }
    }

    List<String> topics() {
        return topics;
    }

    void stopReading() {
        mayRead = new CountDownLatch(1);
    }

    void resumeReading() {
        mayRead.countDown();
    }

    void close() throws IOException, InterruptedException {
        closing = true;
        socket.close();
        resumeReading();
        reader.join();
    }
}

package io.heddle.transport.websocket;

import io.heddle.core.client.LogValue;
import io.heddle.transport.connection.ConnectionRefusal;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.RefusedException;
import io.heddle.transport.proxy.ForwardedFor;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers the HTTP request with which a WebSocket connection begins. Owned by the connection's event loop.
 *
 * <p>States: awaiting the request; accepted, when WebSocket's handler takes the place of the handlers of HTTP; refused, when the answer has
 * one sentence and the connection is being closed. Bound: a request of 5 KiB, without a body. The connect timeout covers the request.
 */
public final class WebSocketHandshake extends ChannelInboundHandlerAdapter {
    private static final String DECODER = "httpDecoder";
    private static final String ENCODER = "httpEncoder";
    private static final String FRAMES = "webSocket";
    private static final int MAXIMUM_LINE_BYTES = 1024;
    private static final int MAXIMUM_HEADERS_BYTES = 4096;

    private final NettyConnection connection;
    private final WebSocketEndpoint endpoint;
    private @Nullable HttpRequest request;
    private boolean refused;

    private WebSocketHandshake(NettyConnection connection, WebSocketEndpoint endpoint) {
        this.connection = connection;
        this.endpoint = endpoint;
    }

    public static void addTo(ChannelPipeline pipeline, NettyConnection connection, WebSocketEndpoint endpoint) {
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setInitialBufferSize(256)
                .setMaxInitialLineLength(MAXIMUM_LINE_BYTES)
                .setMaxHeaderSize(MAXIMUM_HEADERS_BYTES);
        pipeline.addLast(DECODER, new HttpRequestDecoder(limits))
                .addLast(ENCODER, new HttpResponseEncoder())
                .addLast("webSocketHandshake", new WebSocketHandshake(connection, endpoint));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (!refused && message instanceof HttpRequest head) {
                request = head;
                check(context, new HandshakeRequest(head));
            }
            HttpRequest checked = request;
            if (!refused && checked != null && message instanceof LastHttpContent) {
                upgrade(context, new HandshakeRequest(checked));
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void check(ChannelHandlerContext context, HandshakeRequest handshake) {
        HandshakeRequest.Refusal refusal = handshake.refusal(endpoint);
        if (refusal != null) {
            refuse(
                    context,
                    ConnectionRefusal.HTTP_REQUEST,
                    refusal.status(),
                    refusal.text(),
                    "its HTTP request was refused (" + refusal.text() + ")");
            return;
        }
        String origin = handshake.forbiddenOrigin(endpoint.origins(), isOnLoopback(context.channel()));
        if (origin != null) {
            refuse(
                    context,
                    ConnectionRefusal.ORIGIN,
                    HttpResponseStatus.FORBIDDEN,
                    "This server does not accept connections of web pages with this origin.",
                    "web pages of its origin may not connect, origin=" + LogValue.of(origin) + " (add it to "
                            + endpoint.origins().setting() + " if they should)");
        }
    }

    private boolean isOnLoopback(Channel channel) {
        return channel.localAddress() instanceof InetSocketAddress local
                && local.getAddress().isLoopbackAddress()
                && !endpoint.trusted().contains(channel.remoteAddress());
    }

    private void refuse(
            ChannelHandlerContext context,
            ConnectionRefusal reason,
            HttpResponseStatus status,
            String text,
            String detail) {
        refused = true;
        answer(context, status, text);
        context.fireExceptionCaught(new RefusedException(reason, detail));
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, String text) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(text + "\n", StandardCharsets.US_ASCII));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (status.equals(HttpResponseStatus.UPGRADE_REQUIRED)) {
            response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13");
        }
        var _ = context.write(response);
    }

    private void upgrade(ChannelHandlerContext context, HandshakeRequest handshake) {
        if (!takeForwardedAddress(context)) {
            return;
        }
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
        response.headers()
                .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, handshake.accept())
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, String.valueOf(handshake.subprotocol()));
        var _ = context.writeAndFlush(response);
        WebSocketOutput output = new WebSocketOutput();
        WebSocketInput input =
                new WebSocketInput(connection, output, endpoint.maximumFrameBytes(), endpoint.closeTimeout());
        ChannelPipeline pipeline = context.pipeline();
        pipeline.addAfter(context.name(), FRAMES, input);
        connection.frameOutput(output);
        connection.gate().decodeBehind(pipeline.context(input));
        pipeline.remove(ENCODER);
        pipeline.remove(this);
        // Last, because it passes bytes on that arrived behind the request.
        pipeline.remove(DECODER);
    }

    /** Takes the client's address from the header if the sender is trusted; returns false if the header is malformed. */
    private boolean takeForwardedAddress(ChannelHandlerContext context) {
        HttpRequest head = request;
        if (endpoint.trusted().isEmpty() || head == null) {
            return true;
        }
        try {
            connection.setReportedAddress(ForwardedFor.client(
                    connection.remoteAddress(), head.headers().getAll("X-Forwarded-For"), endpoint.trusted()));
            return true;
        } catch (IllegalArgumentException _) {
            refused = true;
            answer(context, HttpResponseStatus.BAD_REQUEST, "X-Forwarded-For is malformed.");
            context.fireExceptionCaught(new RefusedException(
                    ConnectionRefusal.PROXY_HEADER,
                    "a trusted proxy sent a malformed X-Forwarded-For: correct its configuration"));
            return false;
        }
    }
}

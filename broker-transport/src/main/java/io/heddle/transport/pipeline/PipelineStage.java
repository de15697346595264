package io.heddle.transport.pipeline;

import io.netty.channel.ChannelPipeline;
import java.net.SocketAddress;
import java.util.function.Supplier;

/** Adds handlers between the socket and the protocol of a listener, such as those of TLS. Called on the event loop of each connection. */
@FunctionalInterface
public interface PipelineStage {
    /**
     * Adds the handlers at the end of a pipeline, to which the handlers of the protocol are added afterwards.
     *
     * @param address returns the address of the client, for the log
     * @param refused is called if a handler refuses the client and closes the connection
     */
    void addTo(ChannelPipeline pipeline, Supplier<SocketAddress> address, Runnable refused);
}

package io.heddle.transport.pipeline;

import io.heddle.transport.admission.Peer;
import io.netty.channel.ChannelPipeline;

/** Adds handlers between the socket and the protocol of a listener, such as those of TLS. Called on the event loop of each connection. */
@FunctionalInterface
public interface PipelineStage {
    /**
     * Adds the handlers at the end of a pipeline, to which the handlers of the protocol are added afterwards.
     *
     * @param peer the client
     * @param refused is called if a handler refuses the client and closes the connection
     */
    void addTo(ChannelPipeline pipeline, Peer peer, Runnable refused);
}

package io.heddle.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LinkFaultsTest {
    private static final Logger LOG = LoggerFactory.getLogger(LinkFaultsTest.class);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LinkMetrics metrics = new LinkMetrics(registry);

    private double malformedAfter(Throwable cause) {
        LinkFaults.report(LOG, metrics, new EmbeddedChannel(), cause);
        return registry.get("heddle.links.faults")
                .tag("reason", "malformed")
                .counter()
                .count();
    }

    @Test
    void framesThatArriveWhileTheNodeStopsAreNotMalformed() {
        assertThat(malformedAfter(new DecoderException(new RejectedExecutionException())))
                .isZero();
        assertThat(malformedAfter(new DecoderException("a length that no frame has")))
                .isOne();
    }
}

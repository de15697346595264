package io.heddle.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FaultReasonTest {
    @Test
    void theMessageOfTheRootCauseIsReturned() {
        Throwable fault = new IllegalStateException("Failed to create it", new IOException("no entry\nsecond line"));

        assertThat(FaultReason.of(fault)).isEqualTo("no entry");
        assertThat(FaultReason.isCausedBy(fault, IOException.class)).isTrue();
        assertThat(FaultReason.isCausedBy(fault, Error.class)).isFalse();
    }

    @Test
    void aMessageThatIsOnlyANameGetsAnExplanation() {
        assertThat(FaultReason.of(new UnknownHostException("nowhere"))).isEqualTo("unknown host nowhere");
        assertThat(FaultReason.of(new NoSuchFileException("/etc/trust.p12")))
                .isEqualTo("file not found: /etc/trust.p12");
    }

    @Test
    void aFaultWithABlankMessageIsNamedByItsClass() {
        assertThat(FaultReason.of(new IllegalStateException("outer", new InterruptedException())))
                .isEqualTo("InterruptedException");
        assertThat(FaultReason.of(new IOException(" "))).isEqualTo("IOException");
        assertThat(FaultReason.of(new ClosedChannelException())).isEqualTo("the connection was closed");
    }
}

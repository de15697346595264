package io.heddle.core.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.message.frame.MalformedFrameException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArrivalNotesTest {
    private static final Incarnation NODE = new Incarnation(1, 7);
    private static final byte[] FRAME = {1, 2, 3};
    private static final List<ArrivalNote.Arrival> ARRIVALS =
            List.of(new ArrivalNote.Arrival(0, 1_700_000_000_000_000L), new ArrivalNote.Arrival(40_000, -1));

    private final ArrivalNotes notes = new ArrivalNotes();

    private static byte[] note() {
        return ArrivalNote.of(FRAME, ARRIVALS).encode();
    }

    @Test
    void aNoteAppliesOnceToTheNextFrameOfItsLane() {
        notes.onNote(NODE, 2, note());

        assertThat(notes.take(NODE, 1, FRAME)).isEmpty();
        assertThat(notes.take(new Incarnation(2, 7), 2, FRAME)).isEmpty();
        assertThat(notes.take(NODE, 2, FRAME)).isEqualTo(ARRIVALS);
        assertThat(notes.take(NODE, 2, FRAME)).isEmpty();
    }

    @Test
    void aNoteOfAFrameThatWasNotSentAppliesToNoOther() {
        notes.onNote(NODE, 2, note());

        assertThat(notes.take(NODE, 2, new byte[] {1, 2, 4})).isEmpty();
        assertThat(notes.take(NODE, 2, FRAME)).isEmpty();
    }

    @Test
    void theNotesOfAnEndedNodeAreForgotten() {
        notes.onNote(NODE, 2, note());

        notes.onEnded(NODE);

        assertThat(notes.take(NODE, 2, FRAME)).isEmpty();
    }

    @Test
    void truncatedNotesAndOtherVersionsAreMalformed() {
        byte[] whole = note();
        for (int length = 0; length < whole.length; length++) {
            byte[] truncated = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> notes.onNote(NODE, 2, truncated)).isInstanceOf(MalformedFrameException.class);
        }
        whole[0] = 2;
        assertThatThrownBy(() -> notes.onNote(NODE, 2, whole)).isInstanceOf(MalformedFrameException.class);
    }
}

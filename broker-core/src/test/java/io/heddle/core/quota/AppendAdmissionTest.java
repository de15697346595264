package io.heddle.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.quota.AppendAdmission.Answer;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AppendAdmissionTest {
    private static final long LIMIT = 200_000;
    private static final long SMALL = 1_000;

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final AppendAdmission admission = new AppendAdmission(LIMIT, LIMIT, LIMIT, new SimpleMeterRegistry());
    private final List<Long> admitted = new ArrayList<>();

    private Answer request(long bytes) {
        return admission.request(bytes, false, loop, () -> admitted.add(bytes));
    }

    @Test
    void requestLargerThanTheWaitingRoomLeavesAQuarterForSmallOnes() {
        assertThat(request(LIMIT)).isEqualTo(Answer.ADMITTED);
        assertThat(request(3 * LIMIT)).isEqualTo(Answer.WAITING);

        assertThat(request(SMALL)).isEqualTo(Answer.WAITING);
        assertThat(request(LIMIT / 2)).isEqualTo(Answer.REFUSED);
        assertThat(admission.waitingBytes()).isLessThanOrEqualTo(LIMIT);

        admission.release(LIMIT);
        loop.runTasks();
        assertThat(admitted).as("alone").containsExactly(3 * LIMIT);
        admission.release(3 * LIMIT);
        loop.runTasks();
        assertThat(admitted).containsExactly(3 * LIMIT, SMALL);
        admission.release(SMALL);
        assertThat(admission.waitingBytes()).isZero();
        assertThat(admission.pendingBytes()).isZero();
    }
}

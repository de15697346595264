package io.heddle.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.PortInUseException;

final class StartupFailureTest {
    /** Spring names the HTTP port even if the port for probes is taken. */
    @Test
    void aPortInUseIsReportedWithBothSettingsThatMayHaveIt() {
        assertThat(StartupFailure.sentence(new PortInUseException(8_080)))
                .contains("the HTTP port 8080 or the port for probes is in use", "heddle.http.port")
                .contains("heddle.http.probe-port");
    }
}

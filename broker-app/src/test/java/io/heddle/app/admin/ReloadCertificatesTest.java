package io.heddle.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class ReloadCertificatesTest {
    private static String report(String json) {
        return ReloadCertificates.report(JsonMapper.shared().readTree("{\"items\": " + json + "}"));
    }

    @Test
    void theReportNamesTheCertificatesInUse() {
        assertThat(report("""
                        [{"listener": "mqtts", "subject": "CN=a\\u001b", "names": ["a.example.org", "b.example.org"],
                          "expires": "2027-01-31T00:00:00Z"},
                         {"listener": "wss", "subject": "CN=c", "names": [], "expires": "2027-02-01T00:00:00Z"}]""")).isEqualTo("""
                        mqtts: CN=a\\u001b (a.example.org, b.example.org), expires 2027-01-31T00:00:00Z
                        wss: CN=c, expires 2027-02-01T00:00:00Z""");
    }

    @Test
    void theReportSaysThatThereIsNoTls() {
        assertThat(report("[]")).isEqualTo("The node has no listener with TLS");
    }
}

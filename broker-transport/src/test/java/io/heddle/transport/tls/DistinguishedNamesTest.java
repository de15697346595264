package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DistinguishedNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=pump-1,O=Example | pump-1",
                "OU=alice+CN=mallory-1234 | mallory-1234",
                "CN=mallory-1234+OU=alice | mallory-1234",
                "O=Example | ''"
            })
    void theCommonNameIsTheAttributeOfThisType(String subject, String expected) {
        assertThat(DistinguishedNames.commonName(new X500Principal(subject))).isEqualTo(expected);
    }
}

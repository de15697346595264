package io.heddle.app.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Wrong arguments, which are refused before a database is opened. CredentialsCommandIT tests what is stored. */
final class AddCredentialsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --username  | pump | issuer:Plants | is not a distinguished name
        --username  | pump | all           | Use any, issuer:
        --client-id | pump | any           | do not prove a client id
        --client-id | pump | issuer:CN=a   | do not prove a client id
        """)
    void aWrongPinIsRefused(String option, String name, String pin, String expected) {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new AddCredentials()).setErr(new PrintWriter(errors));

        assertThat(command.execute(option, name, "--certificate", pin)).isEqualTo(2);

        assertThat(errors.toString()).contains("--certificate is wrong", expected, pin);
    }
}

package io.heddle.app.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authentication.csv.EmqxUsers;
import io.heddle.core.authentication.csv.EmqxUsers.Algorithm;
import io.heddle.core.authentication.csv.EmqxUsers.SaltPosition;
import io.heddle.core.authentication.csv.EmqxUsers.UserIdType;
import io.heddle.core.authentication.csv.ImportLine;
import io.heddle.core.authentication.csv.ImportLines;
import io.heddle.core.authentication.csv.LineProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FileFormatTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    private final List<LineProblem> warnings = new ArrayList<>();

    private static InputStream stream(String file) {
        return new ByteArrayInputStream(file.translateEscapes().getBytes(UTF_8));
    }

    private List<ImportLine> read(String file) throws IOException {
        FileFormat format = FileFormat.recognize(stream(file));
        ImportLines lines = format.open(
                stream(file), new EmqxUsers(Algorithm.SHA256, SaltPosition.SUFFIX, UserIdType.USERNAME, warnings::add));
        List<ImportLine> all = new ArrayList<>();
        for (ImportLine next = lines.next(); next != null; next = lines.next()) {
            all.add(next);
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "clientId,password | heddle",
                "\\uFEFF\"userName\",\"password\" | heddle",
                "a,b | heddle",
                "`` | heddle",
                "bob:$7$101$c2FsdA==$aGFzaA== | mosquitto",
                "\\uFEFF# comment\\n\\n\\nbob:$6$c2FsdA==$aGFzaA==\\r\\n | mosquitto",
                "bob:secret | mosquitto",
                "user_id,password_hash,salt,is_superuser | emqx-csv",
                "\\uFEFF\"password\" , \"user_id\" | emqx-csv",
                "[] | emqx-json",
                "{\"data\": []} | emqx-json",
                "\\n  [{\"user_id\": 1}] | emqx-json",
            })
    void theFirstLineShowsTheFormat(String file, String format) throws Exception {
        assertThat(FileFormat.recognize(stream(file.replace("\\uFEFF", "\uFEFF"))))
                .hasToString(format);
    }

    @Test
    void readsTheUsersOfEmqxInJson() throws Exception {
        List<ImportLine> lines = read("""
                \uFEFF[
                  {"user_id": "Smith, Al:ice", "password_hash": "HASH", "salt": "cafe", "is_superuser": false},
                  {
                    "user_id": "m\u00fcller", "comment": {"a": [1]},
                    "password_hash": "HASH", "salt": "beef", "is_superuser": true
                  }, {"user_id": "plain", "password": "secret"}
                ]
                """.replace("HASH", HASH).replace("\n", "\r\n"));

        assertThat(lines)
                .extracting(
                        ImportLine::line,
                        ImportLine::lastLine,
                        ImportLine::userName,
                        ImportLine::passwordHash,
                        ImportLine::password)
                .containsExactly(
                        tuple(2L, 2L, "Smith, Al:ice", "$sha256$suffix$cafe$" + HASH, null),
                        tuple(3L, 6L, "m\u00fcller", "$sha256$suffix$beef$" + HASH, null),
                        tuple(6L, 6L, "plain", null, "secret"));
        assertThat(warnings)
                .extracting(LineProblem::line, LineProblem::lastLine)
                .containsExactly(tuple(3L, 6L));
    }

    @Test
    void wrongUsersInJsonAreReportedAndTheOthersAreRead() throws Exception {
        assertThat(
                        read(
                                "[\\n1,\\n{},\\n{\"user_id\": 7, \"password\": \"x\"},\\n{\"user_id\": \"bob\", \"password\": \"x\"}]"))
                .extracting(ImportLine::line, ImportLine::userName, ImportLine::problem)
                .containsExactly(
                        tuple(2L, null, "It is not an object with the properties of a user."),
                        tuple(3L, null, null),
                        tuple(4L, null, null),
                        tuple(5L, "bob", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "\\n{\"user_id\": \"alice", "\\n{\"user_id\": }]", "\\nx]"})
    void jsonThatBreaksOffIsReportedWhereItDoes(String rest) throws Exception {
        List<ImportLine> lines = read("[{\"user_id\": \"bob\", \"password\": \"x\"}" + rest);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).userName()).isEqualTo("bob");
        assertThat(lines.get(1).problem()).isEqualTo("It is not JSON, so the file is not read any further.");
        assertThat(lines.get(1).line()).isEqualTo(rest.startsWith("\\n") ? 2 : 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"data\": []}", "user_id,password"})
    void jsonMustBeAnArray(String file) {
        EmqxUsers users = new EmqxUsers(Algorithm.SHA256, SaltPosition.PREFIX, UserIdType.USERNAME, warnings::add);

        assertThatThrownBy(() -> FileFormat.EMQX_JSON.open(stream(file), users))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the file must be a JSON array of the users of EMQX");
    }
}

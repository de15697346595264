package io.heddle.core.authentication.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authentication.csv.EmqxUsers.Algorithm;
import io.heddle.core.authentication.csv.EmqxUsers.SaltPosition;
import io.heddle.core.authentication.csv.EmqxUsers.UserIdType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ForeignFilesTest {
    private static final String SHA256 = "0123456789abcdefABCDEF9876543210".repeat(2);
    private static final String SHA512 = SHA256 + SHA256;
    private static final String BCRYPT = "$2b$10$" + "x".repeat(53);

    private final List<LineProblem> warnings = new ArrayList<>();

    private static List<ImportLine> all(ImportLines lines) throws IOException {
        List<ImportLine> all = new ArrayList<>();
        for (ImportLine next = lines.next(); next != null; next = lines.next()) {
            all.add(next);
        }
        return all;
    }

    // Mosquitto.

    private static List<ImportLine> mosquitto(String file) throws IOException {
        return all(new MosquittoPasswords(new ByteArrayInputStream(file.getBytes(UTF_8))));
    }

    @Test
    void eachLineOfMosquittoHasAUserNameAndAHash() throws Exception {
        List<ImportLine> lines =
                mosquitto("\uFEFF# comment\n\nbob:$7$101$c2FsdA==$aGFzaA==\r\nAlice Smith:$6$c2FsdA==$aGFzaA==\r\n"
                        + " m\u00fcller : $7$9$s$h \n   \n:$7$1$s$h");

        assertThat(lines)
                .extracting(ImportLine::line, ImportLine::userName, ImportLine::passwordHash, ImportLine::problem)
                .containsExactly(
                        tuple(3L, "bob", "$7$101$c2FsdA==$aGFzaA==", null),
                        tuple(4L, "Alice Smith", "$6$c2FsdA==$aGFzaA==", null),
                        tuple(5L, "m\u00fcller", "$7$9$s$h", null),
                        tuple(7L, null, "$7$1$s$h", null));
        assertThat(lines).allSatisfy(line -> {
            assertThat(line.clientId()).isNull();
            assertThat(line.password()).isNull();
            assertThat(line.lastLine()).isEqualTo(line.line());
        });
    }

    @ParameterizedTest
    @CsvSource({
        "bob:secret, plain-text password",
        "bob:$certificate$any, a certificate in place of a password hash",
        "bob:se$cret, plain-text password",
        "a:b:$7$1$s$h, plain-text password",
        "bob, 'user name, a colon and a password hash'",
        "bob:, 'user name, a colon and a password hash'",
    })
    void aLineOfMosquittoWithoutAHashIsRefused(String line, String reason) throws Exception {
        assertThat(mosquitto("good:$7$1$s$h\n" + line + "\ngood2:$7$1$s$h\n"))
                .extracting(ImportLine::problem)
                .satisfiesExactly(
                        good -> assertThat(good).isNull(),
                        wrong -> assertThat(wrong).contains(reason).doesNotContain("secret"),
                        good -> assertThat(good).isNull());
    }

    @Test
    void linesOfMosquittoThatAreNotUtf8AreRefused() throws Exception {
        byte[] file = "m\u00fcller:$7$1$s$h\nbob:$7$1$s$h".getBytes(ISO_8859_1);

        assertThat(all(new MosquittoPasswords(new ByteArrayInputStream(file))))
                .extracting(ImportLine::line, ImportLine::problem)
                .containsExactly(tuple(1L, "It is not UTF-8."), tuple(2L, null));
    }

    // EMQX.

    private List<ImportLine> emqx(Algorithm algorithm, SaltPosition position, UserIdType type, String file)
            throws IOException {
        return all(new EmqxCsv(
                new ByteArrayInputStream(file.getBytes(UTF_8)),
                new EmqxUsers(algorithm, position, type, warnings::add)));
    }

    private List<ImportLine> emqx(String file) throws IOException {
        return emqx(Algorithm.SHA256, SaltPosition.PREFIX, UserIdType.USERNAME, file);
    }

    @Test
    void theHashOfAUserOfEmqxSaysHowItWasMade() throws Exception {
        String file = "user_id,password_hash,salt\nbob," + SHA256 + ",cafe\n";

        assertThat(emqx(file)).extracting(ImportLine::passwordHash).containsExactly("$sha256$prefix$cafe$" + SHA256);
        assertThat(emqx(Algorithm.SHA256, SaltPosition.SUFFIX, UserIdType.USERNAME, file))
                .extracting(ImportLine::passwordHash)
                .containsExactly("$sha256$suffix$cafe$" + SHA256);
        assertThat(emqx(Algorithm.SHA512, SaltPosition.SUFFIX, UserIdType.USERNAME, file.replace(SHA256, SHA512)))
                .extracting(ImportLine::passwordHash)
                .containsExactly("$sha512$suffix$cafe$" + SHA512);
        assertThat(emqx(Algorithm.BCRYPT, SaltPosition.PREFIX, UserIdType.USERNAME, file.replace(SHA256, BCRYPT)))
                .extracting(ImportLine::passwordHash)
                .containsExactly(BCRYPT);
    }

    @Test
    void columnsOfEmqxMayComeInAnyOrderAndOthersAreIgnored() throws Exception {
        List<ImportLine> lines = emqx("\uFEFFis_superuser,salt,comment,password_hash,user_id\r\nfalse,cafe,x," + SHA256
                + ",\"Smith, Al:ice\"\r\n\r\n,beef,,\"" + SHA256 + "\",m\u00fcller\r\nfalse\r\n");

        assertThat(lines)
                .extracting(ImportLine::line, ImportLine::userName, ImportLine::passwordHash, ImportLine::problem)
                .containsExactly(
                        tuple(2L, "Smith, Al:ice", "$sha256$prefix$cafe$" + SHA256, null),
                        tuple(4L, "m\u00fcller", "$sha256$prefix$beef$" + SHA256, null),
                        tuple(5L, null, null, "It has 1 fields, but the first line names 5."));
        assertThat(warnings).isEmpty();
    }

    @Test
    void usersOfEmqxMayHavePlainPasswords() throws Exception {
        assertThat(emqx("user_id,password,is_superuser\nbob,secret,false\n"))
                .containsExactly(new ImportLine(2, 2, null, "bob", null, null, "secret", null, null));
    }

    @Test
    void theUserIdOfEmqxMayBeAClientId() throws Exception {
        assertThat(emqx(Algorithm.SHA256, SaltPosition.PREFIX, UserIdType.CLIENTID, "user_id,password\npump,secret\n"))
                .containsExactly(new ImportLine(2, 2, "pump", null, null, null, "secret", null, null));
    }

    @Test
    void superusersOfEmqxAreImportedWithAWarning() throws Exception {
        List<ImportLine> lines = emqx("user_id,password,is_superuser\nbob,x,false\nroot,y,true\n");

        assertThat(lines).extracting(ImportLine::problem).containsExactly(null, null);
        assertThat(warnings).singleElement().satisfies(warning -> {
            assertThat(warning.line()).isEqualTo(3);
            assertThat(warning.message()).contains("superuser", "'allow all # for user NAME'");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "SHA256, abc, cafe, does not have the 64 hexadecimal digits of sha256: name the algorithm of EMQX with"
                + " --emqx-algorithm",
        "SHA512, SHORT, cafe, does not have the 128 hexadecimal digits of sha512",
        "SHA256, LONG, cafe, does not have the 64",
        "SHA256, BCRYPT, cafe, does not have the 64",
        "BCRYPT, SHORT, cafe, is not one of bcrypt: name the algorithm",
        "SHA256, SHORT, '', It has no salt",
    })
    void aHashOfEmqxThatDoesNotFitTheAlgorithmIsRefused(Algorithm algorithm, String hash, String salt, String reason)
            throws Exception {
        String text = switch (hash) {
            case "SHORT" -> SHA256;
            case "LONG" -> SHA512;
            case "BCRYPT" -> BCRYPT;
            default -> hash;
        };

        assertThat(emqx(
                        algorithm,
                        SaltPosition.PREFIX,
                        UserIdType.USERNAME,
                        "user_id,password_hash,salt\nbob," + text + "," + salt + "\n"))
                .singleElement()
                .satisfies(line -> assertThat(line.problem()).contains(reason).doesNotContain(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "userName,password\n",
                "user_id,salt\n",
                "user_id,user_id,password\n",
                "user_id,password,password_hash\n"
            })
    void theFirstLineMustNameTheColumnsOfEmqx(String file) {
        assertThatThrownBy(() -> emqx(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("user_id");
    }
}

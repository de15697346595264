package io.heddle.core.authentication.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.PlainPasswordHash;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialsImportTest {
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final List<LineProblem> problems = new ArrayList<>();

    private CredentialsImport.Result run(String csv, boolean replace) throws IOException {
        return run(csv, replace, StandardCharsets.UTF_8);
    }

    private CredentialsImport.Result run(String csv, boolean replace, Charset charset) throws IOException {
        ImportSettings settings = new ImportSettings(replace, 1_200, hash -> hash.startsWith("$argon2id$"));
        return new CredentialsImport(store, new PlainPasswordHash(), Runnable::run, settings, problems::add)
                .run(new HeddleCsv(new ByteArrayInputStream(csv.getBytes(charset))));
    }

    private StoredCredentials stored(String clientId) {
        return Objects.requireNonNull(store.find(new ClientId(clientId), null));
    }

    @Test
    void columnsMayComeInAnyOrderAndBeQuoted() throws Exception {
        CredentialsImport.Result result = run("""
                \uFEFFpassword,type,clientId,userName\r
                secret,application,pump-1,\r
                "a ""b"",c",,"pump,2",alice

                x,DEVICE,,bob
                """, false);

        assertThat(problems).isEmpty();
        assertThat(result).isEqualTo(new CredentialsImport.Result(3, 0));
        assertThat(stored("pump-1").type()).isEqualTo(ClientType.APPLICATION);
        assertThat(stored("pump,2").userName()).isEqualTo("alice");
        assertThat(stored("pump,2").passwordHash())
                .endsWith(HexFormat.of().formatHex("a \"b\",c".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void groupsAreSeparatedBySpaces() throws Exception {
        run("userName,groups,password\nalice, plant-2  plant-1,x\nbob,,x\ncarol,\"a,b\",x\n", false);

        assertThat(store.list(0, 10))
                .extracting(StoredCredentials::groups)
                .containsExactly(List.of("plant-1", "plant-2"), List.of());
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(4);
            assertThat(problem.message()).contains("group");
        });
    }

    @Test
    void hashesAreStoredAsTheyAre() throws Exception {
        run("userName,passwordHash\nalice,\"$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA\"\nbob,md5\n", false);

        assertThat(store.list(0, 10))
                .extracting(StoredCredentials::passwordHash)
                .containsExactly("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA");
        assertThat(problems).extracting(LineProblem::line).containsExactly(3L);
    }

    @Test
    void pinsOfCertificatesAreStoredInTheirCanonicalText() throws Exception {
        run("""
                userName,clientId,passwordHash
                alice,,"$certificate$issuer:cn=Plants, O=Example"
                bob,,$certificate$issuer:Plants
                ,pump,$certificate$any
                """, false);

        assertThat(store.list(0, 10))
                .extracting(StoredCredentials::passwordHash)
                .containsExactly("$certificate$issuer:CN=Plants,O=Example");
        assertThat(problems)
                .extracting(LineProblem::message)
                .satisfiesExactly(
                        name -> assertThat(name).contains("is not a distinguished name"),
                        any -> assertThat(any).contains("do not prove a client id"));
    }

    @Test
    void eachWrongLineIsReportedAndTheOthersAreStored() throws Exception {
        CredentialsImport.Result result = run("""
                clientId,userName,type,password
                ,,DEVICE,x
                a,,THING,x
                b,,DEVICE,
                c,,DEVICE
                d,,DEVICE,"x"y
                e\t,,DEVICE,x
                "multi
                line",,DEVICE,x
                good,,DEVICE,x
                good,,DEVICE,later
                """, false);

        assertThat(result).isEqualTo(new CredentialsImport.Result(1, 9));
        assertThat(problems).extracting(LineProblem::line).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 11L);
        assertThat(problems).allSatisfy(problem -> assertThat(problem.message()).endsWith("."));
        assertThat(store.count()).isEqualTo(1);
    }

    @Test
    void aCheckReportsWrongLinesAndStoresNothing() throws Exception {
        String csv = "clientId,type,password\na,DEVICE,x\nb,THING,x\nc,DEVICE,\na,DEVICE,y\n";
        ImportSettings settings = new ImportSettings(false, 2, hash -> true);

        long wrong = new CredentialsImport(store, new PlainPasswordHash(), Runnable::run, settings, problems::add)
                .check(new HeddleCsv(new ByteArrayInputStream(csv.getBytes(StandardCharsets.UTF_8))));

        assertThat(wrong).isEqualTo(2);
        assertThat(problems).extracting(LineProblem::line).containsExactly(3L, 4L);
        assertThat(store.list(0, 10)).isEmpty();
    }

    @Test
    void aQuotationMarkWithinAFieldRejectsOnlyItsLine() throws Exception {
        CredentialsImport.Result result = run("""
                userName,password
                p1,good
                p2,pw"with quote
                p3,good
                p4,"good"
                """, false);

        assertThat(result).isEqualTo(new CredentialsImport.Result(3, 1));
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(3);
            assertThat(problem.lastLine()).isEqualTo(3);
        });
    }

    @Test
    void anOpenQuotationMarkReportsAllLinesThatItSwallows() throws Exception {
        CredentialsImport.Result result = run("""
                userName,password
                p1,"open
                p2,good
                p3,"good"
                p4,good
                p5,"never closed
                p6,good
                """, false);

        assertThat(result).isEqualTo(new CredentialsImport.Result(1, 5));
        assertThat(problems).extracting(LineProblem::line).containsExactly(2L, 6L);
        assertThat(problems).extracting(LineProblem::lastLine).containsExactly(4L, 7L);
    }

    @Test
    void aRecordOfAnyLengthIsReadOnceAndReported() throws Exception {
        int lines = 400_000;
        String csv = "userName,password\np1,\"\n" + "p,good\n".repeat(lines) + "\"\nlast,good\n"
                + "x".repeat(CsvLines.MAX_LINE_BYTES + 1) + ",good\nend,good";

        CredentialsImport.Result result = run(csv, false);

        assertThat(result).isEqualTo(new CredentialsImport.Result(2, lines + 3));
        assertThat(problems).extracting(LineProblem::lastLine).containsExactly(lines + 3L, lines + 5L);
    }

    @Test
    void linesThatAreNotUtf8AreRejected() throws Exception {
        CredentialsImport.Result result =
                run("userName,password\r\nm\u00fcller,x\rp1,x\np2,\u00e9", false, StandardCharsets.ISO_8859_1);

        assertThat(result).isEqualTo(new CredentialsImport.Result(1, 2));
        assertThat(problems).extracting(LineProblem::line).containsExactly(2L, 4L);
        assertThat(store.list(0, 10)).extracting(StoredCredentials::userName).containsExactly("p1");
    }

    @Test
    void laterLinesReplaceOnRequest() throws Exception {
        run("clientId,password\na,one\na,two\n", true);
        String second = stored("a").passwordHash();
        CredentialsImport.Result result = run("clientId,password\na,three\n", true);

        assertThat(result).isEqualTo(new CredentialsImport.Result(1, 0));
        assertThat(second).endsWith("74776f");
        assertThat(stored("a").passwordHash()).endsWith("7468726565");
    }

    @Test
    void manyLinesAreStoredInBatchesUpToTheLimitOfPasswords() throws Exception {
        StringBuilder csv = new StringBuilder("clientId,password\n");
        for (int i = 0; i < 1_201; i++) {
            csv.append("client-").append(i).append(",x\n");
        }

        assertThat(run(csv.toString(), false)).isEqualTo(new CredentialsImport.Result(1_200, 1));
        assertThat(problems).extracting(LineProblem::line).containsExactly(1_202L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a,b\n",
                "clientId,userName\n",
                "password\nx\n",
                "clientId,clientId,password\n",
                "clientId,password,passwordHash\n",
                "clientId,password,comment\n"
            })
    void theFirstLineMustNameTheColumns(String csv) {
        assertThatThrownBy(() -> run(csv, false)).isInstanceOf(IllegalArgumentException.class);
        assertThat(store.isEmpty()).isTrue();
    }
}

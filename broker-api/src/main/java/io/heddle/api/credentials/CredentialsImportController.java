package io.heddle.api.credentials;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.csv.CredentialsImport;
import io.heddle.core.authentication.csv.HashFormat;
import io.heddle.core.authentication.csv.HeddleCsv;
import io.heddle.core.authentication.csv.ImportSettings;
import io.heddle.core.authentication.csv.LineProblem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Imports credentials from CSV. One import runs at a time, and it computes one hash at a time, so that administrators who sign in meanwhile wait
 * for one hash only. Bounds: {@value #MAX_PASSWORDS} plain passwords, which take some tens of seconds; any number of password hashes.
 */
@RestController
public final class CredentialsImportController {
    private static final int MAX_PASSWORDS = 1_000;
    private static final int MAX_PROBLEMS = 1_000;

    private final CredentialsStore store;
    private final PasswordHash passwordHash;
    private final HashFormat hashes;
    private final Audit audit;
    private final Semaphore turn = new Semaphore(1);

    public CredentialsImportController(
            CredentialsStore store, PasswordHash passwordHash, HashFormat hashes, Audit audit) {
        this.store = store;
        this.passwordHash = passwordHash;
        this.hashes = hashes;
        this.audit = audit;
    }

    /**
     * Imports the lines of the body. Wrong lines are in the report and do not prevent the others.
     *
     * @param replace whether credentials replace those for the same names; otherwise such lines are rejected
     */
    @PostMapping(path = "/api/v1/credentials/import", consumes = "text/csv")
    ImportReport importLines(@RequestParam(defaultValue = "false") boolean replace, HttpServletRequest request) {
        refuseOtherCharset(request);
        if (!turn.tryAcquire()) {
            throw RequestProblem.conflict(
                    "This node is busy with another import; repeat the request when it has ended.");
        }
        try {
            return audit.change(
                    request,
                    AuditAction.IMPORT_CREDENTIALS,
                    "credentials",
                    Map.of("replace", replace),
                    () -> run(request, replace));
        } finally {
            turn.release();
        }
    }

    private static void refuseOtherCharset(HttpServletRequest request) {
        Charset charset = MediaType.parseMediaType(request.getContentType()).getCharset();
        if (charset != null && !charset.equals(UTF_8) && !charset.equals(US_ASCII)) {
            throw RequestProblem.unsupportedContent("Send the lines in UTF-8, with Content-Type: text/csv.");
        }
    }

    private Audited<ImportReport> run(HttpServletRequest request, boolean replace) {
        List<LineProblem> problems = new ArrayList<>();
        CredentialsImport lines = new CredentialsImport(
                store, passwordHash, Runnable::run, new ImportSettings(replace, MAX_PASSWORDS, hashes), problem -> {
                    if (problems.size() < MAX_PROBLEMS) {
                        problems.add(problem);
                    }
                });
        try (InputStream body = request.getInputStream()) {
            CredentialsImport.Result result = lines.run(new HeddleCsv(body));
            return new Audited<>(new ImportReport(result.stored(), result.rejected(), problems), result);
        } catch (IllegalArgumentException wrongHeader) {
            throw RequestProblem.invalid(
                    "columns",
                    "The first line must name the columns: clientId, userName or both, type if you like, and either password"
                            + " or passwordHash.");
        } catch (IOException clientGone) {
            throw new UncheckedIOException(clientGone);
        }
    }

    /**
     * JSON representation of the outcome of an import.
     *
     * @param stored the number of credentials that were stored
     * @param rejected the number of lines that were not imported
     * @param problems the first 1,000 reasons, each with its line or lines
     */
    record ImportReport(long stored, long rejected, List<LineProblem> problems) {}
}

package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.administration.AuditResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link AuditLog}. Each test starts with an empty log. */
public abstract class AuditLogContract {
    /** Returns the log under test, empty at the start of a test and the same throughout it. */
    protected abstract AuditLog log();

    @Test
    void anEntryIsAttemptedBeforeItIsCompleted() {
        AuditAttempt attempt = new AuditAttempt("ada", "10.0.0.9", "DRAIN", "nodes/a", "{\"state\":\"READY\"}");

        long id = log().begin(attempt);

        assertThat(all()).singleElement().satisfies(entry -> {
            assertThat(entry.id()).isEqualTo(id);
            assertThat(entry.attempt()).isEqualTo(attempt);
            assertThat(entry.result()).isEqualTo(new AuditResult(AuditOutcome.ATTEMPTED, null, null));
        });

        AuditResult done = new AuditResult(AuditOutcome.DONE, "{\"state\":\"STOPPING\"}", null);
        log().complete(id, done);

        assertThat(all()).singleElement().extracting(AuditEntry::result).isEqualTo(done);
    }

    @Test
    void aFailureKeepsItsSentence() {
        AuditResult failed = new AuditResult(AuditOutcome.FAILED, null, "The last administrator cannot be removed.");

        log().complete(log().begin(attempt("ada", "administrators/ada")), failed);

        assertThat(all()).singleElement().extracting(AuditEntry::result).isEqualTo(failed);
    }

    @Test
    void anUnknownOutcomeIsKept() {
        AuditResult unknown = new AuditResult(AuditOutcome.UNKNOWN, null, "Kafka has not answered in time.");

        log().complete(log().begin(attempt("ada", "publish")), unknown);

        assertThat(all()).singleElement().extracting(AuditEntry::result).isEqualTo(unknown);
    }

    @Test
    void completingAnEntryThatIsNotKeptDoesNothing() {
        log().complete(4711, new AuditResult(AuditOutcome.DONE, null, null));

        assertThat(all()).isEmpty();
    }

    @Test
    void pagesFollowEachOtherWithoutGapsInBothOrders() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(log().begin(attempt("ada", "things/" + i)));
        }

        assertThat(pages(false)).containsExactlyElementsOf(ids);
        assertThat(pages(true)).containsExactlyElementsOf(ids.reversed());
    }

    @Test
    void filtersSelectByAdministratorAndTarget() {
        log().begin(attempt("ada", "things/1"));
        long second = log().begin(attempt("bob", "things/1"));
        long third = log().begin(attempt("bob", "things/2"));

        assertThat(ids(query("bob", null))).containsExactly(third, second);
        assertThat(ids(query("bob", "things/1"))).containsExactly(second);
        assertThat(ids(query(null, "things/2"))).containsExactly(third);
        assertThat(ids(query("Bob", null))).isEmpty();
        assertThat(ids(query("%", null))).isEmpty();
    }

    @Test
    void filtersSelectByActionAndOutcome() {
        long drained = log().begin(attempt("ada", "DRAIN", "nodes/a"));
        long failed = log().begin(attempt("ada", "DRAIN", "nodes/b"));
        long published = log().begin(attempt("bob", "PUBLISH", "publish?topic=a"));
        log().complete(drained, new AuditResult(AuditOutcome.DONE, null, null));
        log().complete(failed, new AuditResult(AuditOutcome.FAILED, null, "No serving member has this id."));

        assertThat(ids(query(null, "DRAIN", null, null))).containsExactly(failed, drained);
        assertThat(ids(query(null, "drain", null, null))).isEmpty();
        assertThat(ids(query(null, null, null, AuditOutcome.FAILED))).containsExactly(failed);
        assertThat(ids(query(null, null, null, AuditOutcome.ATTEMPTED))).containsExactly(published);
        assertThat(ids(query(null, null, null, AuditOutcome.UNKNOWN))).isEmpty();
        assertThat(ids(query("ada", "DRAIN", "nodes/a", AuditOutcome.DONE))).containsExactly(drained);
        assertThat(ids(query("bob", "DRAIN", null, null))).isEmpty();
    }

    @Test
    void theTimeSelectsFromTheFirstToBeforeTheLast() {
        for (int i = 0; i < 3; i++) {
            log().begin(attempt("ada", "things/" + i));
        }
        List<AuditEntry> entries = all().reversed();
        assertThat(entries).isSortedAccordingTo((a, b) -> a.time().compareTo(b.time()));

        AuditFilter filter = new AuditFilter(
                null, null, null, null, entries.get(1).time(), entries.get(2).time());
        List<AuditEntry> selected = log().list(new AuditQuery(filter, false, null, 10));

        assertThat(selected).containsExactly(entries.get(1));
    }

    @Test
    void longAndStrangeTextsAreKeptAsFarAsTheyFit() {
        String target = "things/" + "\uD83D\uDE00".repeat(400) + "\0";

        log().begin(new AuditAttempt("ada\u00e9", "::1", "CHANGE", target, "\"" + "x".repeat(20_000)));

        assertThat(all()).singleElement().satisfies(entry -> {
            assertThat(entry.attempt().target()).isEqualTo("things/" + "\uD83D\uDE00".repeat(252));
            assertThat(entry.attempt().before()).hasSize(AuditAttempt.MAX_STATE_LENGTH);
        });
    }

    private List<Long> pages(boolean newestFirst) {
        List<Long> ids = new ArrayList<>();
        AuditQuery.Position after = null;
        List<AuditEntry> page;
        do {
            page = log().list(new AuditQuery(AuditFilter.ALL, newestFirst, after, 3));
            for (AuditEntry entry : page) {
                ids.add(entry.id());
                after = new AuditQuery.Position(entry.time(), entry.id());
            }
        } while (page.size() == 3);
        return ids;
    }

    private List<AuditEntry> all() {
        return log().list(query(null, null));
    }

    private List<Long> ids(AuditQuery query) {
        return log().list(query).stream().map(AuditEntry::id).toList();
    }

    private static AuditQuery query(@Nullable String administrator, @Nullable String target) {
        return query(administrator, null, target, null);
    }

    private static AuditQuery query(
            @Nullable String administrator,
            @Nullable String action,
            @Nullable String target,
            @Nullable AuditOutcome outcome) {
        return new AuditQuery(new AuditFilter(administrator, action, target, outcome, null, null), true, null, 100);
    }

    private static AuditAttempt attempt(String administrator, String target) {
        return attempt(administrator, "CHANGE", target);
    }

    private static AuditAttempt attempt(String administrator, String action, String target) {
        return new AuditAttempt(administrator, "10.0.0.9", action, target, null);
    }
}

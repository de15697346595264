package io.heddle.app.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.heddle.app.e2e.browser.ConsoleWindow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each page and dialog: without errors, accessible, drawn for the documentation. And for viewers, who change nothing with any of them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
abstract class ConsolePageCases {
    private static final int FORBIDDEN = 403;
    private static final double CHECKED_WITHIN_MILLIS = 90_000;

    /** Requests that a viewer may send: they change nothing, or only the viewer's own account. */
    private static final Set<String> HARMLESS = Set.of(
            "POST /api/v1/rules/dry-run",
            "POST /api/v1/rules/test",
            "PUT /api/v1/account/password",
            "DELETE /api/v1/account/sessions");

    private static final Locator.FilterOptions EMPTY = new Locator.FilterOptions().setHasText(Pattern.compile("^–?$"));

    /** The page that viewers do not get. */
    private static final String PAYLOAD = "retained-message";

    private final ConsoleUnderTest console;
    private final ConsoleWindow admin;

    ConsolePageCases(ConsoleUnderTest console) {
        this.console = console;
        admin = console.admin();
    }

    /** Returns the names and paths of all pages: those of the navigation, and those that others link to. */
    private static Map<String, String> pages(ConsoleWindow window) {
        SequencedMap<String, String> pages = new LinkedHashMap<>();
        window.navigation().forEach(path -> pages.put(path.equals("/") ? "overview" : path.substring(1), path));
        pages.put("client", "/client?clientId=press-3&topic=plant/full&peek=1");
        pages.put("explain", "/explain?clientId=press-3&topic=plant/full");
        pages.put("topic-tree", "/topic-tree");
        pages.put("subscribers", "/topics?topic=plant/3/state");
        pages.put(PAYLOAD, "/retained-message?topic=plant/3/state");
        pages.put("application", "/application?clientId=app-billing");
        pages.put(
                "credential",
                window.goTo("/credentials")
                        .page()
                        .locator("#list a[href^='/credential?']")
                        .first()
                        .getAttribute("href"));
        // Last, because nodes check their accounts for a minute before they tell a difference.
        pages.putLast("ledger", "/ledger");
        return pages;
    }

    @Test
    void eachPageIsAccessibleAndWithoutErrors() {
        ConsoleWindow signIn = console.window().goTo("/sign-in");
        signIn.checkAccessibility();
        signIn.picture("sign-in");
        signIn.assertWithoutErrors();
        signIn.close();
        admin.goTo("/");
        pages(admin).forEach((name, path) -> {
            admin.goTo(path);
            // The overview draws them later.
            assertThat(admin.page().locator("[data-figure], [data-chart]").filter(EMPTY))
                    .hasCount(0);
            assertThat(admin.page().getByText("has not checked its accounts"))
                    .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(CHECKED_WITHIN_MILLIS));
            admin.page().locator("#tree summary").all().forEach(Locator::click);
            admin.checkAccessibility();
            admin.picture(name);
            admin.page().locator("main [data-open]").all().forEach(this::checkTheDialog);
        });
        checkTheDialog(admin.page()
                .getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Keys").setExact(true)));
        admin.assertWithoutErrors();
    }

    private void checkTheDialog(Locator button) {
        button.click();
        admin.checkAccessibility();
        admin.page().keyboard().press("Escape");
    }

    @Test
    void aViewerChangesNothing() throws Exception {
        Set<String> changes = new TreeSet<>();
        admin.goTo("/");
        Map<String, String> pages = pages(admin);
        pages.values().forEach(path -> changes.addAll(admin.goTo(path).changes()));
        changes.removeAll(HARMLESS);
        admin.goTo("/administrators");
        admin.click("New administrator");
        Locator dialog = admin.page().locator("dialog[open]");
        dialog.getByLabel("Name").fill("ada");
        dialog.getByLabel("Password").fill("correct horse battery");
        admin.click("Create");
        admin.page().getByText("The administrator is created.").waitFor();

        try (ConsoleWindow viewer = console.window().signIn("ada", "correct horse battery")) {
            Set<String> offered = new TreeSet<>();
            pages.remove(PAYLOAD);
            pages.values().forEach(path -> offered.addAll(viewer.goTo(path).changes()));
            viewer.assertWithoutErrors();
            assertThat(offered).isSubsetOf(HARMLESS);
            assertThat(changes).hasSizeGreaterThan(20);
            assertThat(viewer.send("POST /api/v1/rules/test"))
                    .as("a request of the same kind that a viewer may send")
                    .isNotEqualTo(FORBIDDEN);
            assertThat(changes)
                    .allSatisfy(change -> assertThat(viewer.send(change)).isEqualTo(FORBIDDEN));
        }
        assertThat(console.nodes()
                        .get(0, "/api/v1/audit?administrator=ada&outcome=DONE")
                        .path("items"))
                .isEmpty();
    }
}

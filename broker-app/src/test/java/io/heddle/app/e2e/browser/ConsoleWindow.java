package io.heddle.app.e2e.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A window of one administrator, and the errors of its pages: of scripts, of the Content-Security-Policy, of the node. One thread. */
public final class ConsoleWindow implements AutoCloseable {
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 800;
    private static final int FAILED = 500;

    private final String origin;
    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new ArrayList<>();

    ConsoleWindow(Browser browser, String origin) {
        this.origin = origin;
        context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(WIDTH, HEIGHT)
                .setLocale("en-GB")
                .setTimezoneId("UTC")
                .setColorScheme(ColorScheme.LIGHT)
                .setReducedMotion(ReducedMotion.REDUCE));
        context.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
        page = context.newPage();
        page.onConsoleMessage(this::note);
        page.onPageError(error -> errors.add(page.url() + ": " + error));
        page.onResponse(this::note);
    }

    private void note(ConsoleMessage message) {
        if (Set.of("error", "warning").contains(message.type())) {
            errors.add(page.url() + ": " + message.text() + " at " + message.location());
        }
    }

    private void note(Response response) {
        if (response.status() >= FAILED) {
            errors.add(response.url() + ": status " + response.status());
        }
    }

    /** Returns the page, for what this class does not do itself. */
    public Page page() {
        return page;
    }

    /** Signs in, at the form to which the node redirects. */
    public ConsoleWindow signIn(String userName, String password) {
        goTo("/");
        field("Administrator").fill(userName);
        field("Password").fill(password);
        click("Sign in");
        assertThat(heading("Overview")).isVisible();
        return this;
    }

    /** Opens the page at a path; it must exist. */
    public ConsoleWindow goTo(String path) {
        Response response = page.navigate(origin + path);
        assertThat(response).as(path).isNotNull();
        assertThat(response.status()).as(path).isEqualTo(200);
        return this;
    }

    /** Returns the heading of a page with this text. */
    public Locator heading(String text) {
        return page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(text).setLevel(1));
    }

    /** Returns the field with this label in the content of the page. */
    public Locator field(String label) {
        return page.locator("main").getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
    }

    /** Clicks the button with this text, in the open dialog or else in the content of the page. */
    public void click(String button) {
        Locator dialog = page.locator("dialog[open]");
        (dialog.count() > 0 ? dialog : page.locator("main"))
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** Returns the addresses of all pages in the navigation. */
    public List<String> navigation() {
        return page.locator("nav.side a[data-key]").all().stream()
                .map(link -> link.getAttribute("href"))
                .toList();
    }

    /** Returns the requests that the forms and buttons of the page send, such as {@code DELETE /api/v1/lockouts?userName=ada}. */
    public Set<String> changes() {
        return page.locator("[data-send], [data-target], [data-override]").all().stream()
                .flatMap(each -> List.of("data-send", "data-target", "data-override").stream()
                        .map(each::getAttribute))
                .filter(each -> each != null)
                .collect(Collectors.toSet());
    }

    /** Sends a request as a script of the page would, with an empty object, and returns the status. */
    public int send(String request) {
        String[] words = request.split(" ", 2);
        APIResponse response = page.request()
                .fetch(
                        origin + words[1],
                        RequestOptions.create()
                                .setMethod(words[0])
                                .setHeader(
                                        "X-CSRF-Token",
                                        page.locator("meta[name=csrf]").getAttribute("content"))
                                .setHeader("X-Requested-With", "fetch")
                                .setHeader("Origin", origin)
                                .setHeader("Content-Type", "application/json")
                                .setData("{}"));
        return response.status();
    }

    /** Lets axe check the page in dark and in light, and remembers what it finds. */
    public void checkAccessibility() {
        errors.addAll(Axe.violations(page));
    }

    /** Writes a picture of the window: see {@link Pictures}. */
    public void picture(String name) {
        Pictures.write(name, page.screenshot());
    }

    /** Asserts that no page of this window has reported an error since the last call, and that axe has found nothing. */
    public void assertWithoutErrors() {
        List<String> found = List.copyOf(errors);
        errors.clear();
        assertThat(found).isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }
}

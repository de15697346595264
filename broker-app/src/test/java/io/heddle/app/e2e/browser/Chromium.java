package io.heddle.app.e2e.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chromium of this machine, without a display, driven by Playwright. One thread. */
public final class Chromium implements AutoCloseable {
    /** Of a click, a navigation, or an assertion. Figures of the history come every ten seconds. */
    static final int PATIENCE_MILLIS = 30_000;

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts it. Skips the test if it, or Node.js for Playwright, is missing. */
    public static Chromium start() {
        Optional<Path> chromium = onPath("chromium");
        Optional<Path> node = onPath("node");
        assumeTrue(chromium.isPresent(), "chromium is not on the PATH: apt-get install chromium");
        assumeTrue(node.isPresent(), "node is not on the PATH: apt-get install nodejs");
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        Playwright playwright = Playwright.create(new Playwright.CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.orElseThrow().toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1")));
        return new Chromium(
                playwright,
                playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(chromium.orElseThrow())
                                // The sandbox does not work for root.
                                .setArgs(List.of("--no-sandbox"))));
    }

    private static Optional<Path> onPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a window without cookies. The pages of the origin, such as {@code http://127.0.0.1:8080}, are at paths. */
    public ConsoleWindow window(String origin) {
        return new ConsoleWindow(browser, origin);
    }

    @Override
    public void close() {
        playwright.close();
    }
}

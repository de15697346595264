package io.heddle.app.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks pages with axe-core against the criteria A and AA of WCAG 2.2. */
final class Axe {
    private static final String SCRIPT = script();
    private static final Map<String, ?> ALL =
            Map.of("type", "tag", "values", List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"));
    private static final Map<String, ?> COLOURS =
            Map.of("type", "rule", "values", List.of("color-contrast", "link-in-text-block"));
    /** Each violation of a criterion by an element is a text. */
    private static final String RUN = """
            async runOnly => {
              const {violations} = await axe.run(document, {runOnly, resultTypes: ['violations']});
              return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => `${id}: ${html}\\n${failureSummary}`));
            }""";

    private Axe() {}

    private static String script() {
        try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"), "axe.min.js")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the violations by the page in dark and in light; in light, only those of colours, since nothing else differs. The script gets into the
     * page through the debugger, to which the Content-Security-Policy does not apply.
     */
    static List<String> violations(Page page) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        page.evaluate("() => { " + SCRIPT + " }");
        List<String> violations = new ArrayList<>(run(page, ALL));
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        violations.addAll(run(page, COLOURS));
        return violations;
    }

    private static List<String> run(Page page, Map<String, ?> rules) {
        return ((List<?>) page.evaluate(RUN, rules))
                .stream().map(each -> page.url() + ": " + each).toList();
    }
}

package io.heddle.api.console;

import static io.heddle.api.testkit.ApiClient.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class ConsoleFilesTest {
    private static final int MAXIMUM_BYTES = 100_000;

    private static @Nullable ApiServer server;
    private static @Nullable ApiClient client;

    @BeforeAll
    static void start() {
        ApiServer started = new ApiServer();
        started.administrators().put("vera", "looking", AdminRole.VIEWER, started.passwordHash());
        server = started;
        client = started.client();
    }

    @AfterAll
    static void stop() {
        requireNonNull(client).close();
        requireNonNull(server).close();
    }

    private static ApiClient client() {
        return requireNonNull(client);
    }

    private static HttpResponse<String> overview() throws Exception {
        return client().get("/", "vera", "looking");
    }

    private static List<String> files(String page) {
        return Pattern.compile("(?:src|rel=\"stylesheet\" href)=\"([^\"]*)\"")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static HttpResponse<String> compressed(String path) throws Exception {
        return client().send(client().request(path).header("Accept-Encoding", "gzip, br"));
    }

    @Test
    void theFirstPageIsSmall() throws Exception {
        String page = overview().body();
        long bytes = page.length();
        for (String file : files(page)) {
            bytes += compressed(file)
                    .headers()
                    .firstValueAsLong("Content-Length")
                    .orElseThrow();
        }

        assertThat(files(page)).hasSize(5);
        assertThat(bytes).isLessThan(MAXIMUM_BYTES);
    }

    @Test
    void theScriptsOfAPageAreThoseOfItsVersion() throws Exception {
        String page = client().get("/mqtt-client", "vera", "looking").body();
        Deque<String> next = new ArrayDeque<>(files(page));
        Set<String> loaded = new TreeSet<>();
        while (!next.isEmpty()) {
            String file = next.remove();
            if (loaded.add(file)) {
                Pattern.compile("from '\\./([^']*)'")
                        .matcher(client().get(file).body())
                        .results()
                        .forEach(
                                imported -> next.add(file.substring(0, file.lastIndexOf('/') + 1) + imported.group(1)));
            }
        }

        assertThat(loaded).hasSize(14).contains(files(page).getFirst());
        for (String file : loaded) {
            assertKept(file);
        }
        assertThat(files(overview().body())).noneMatch(file -> file.contains("mqtt"));
    }

    @Test
    void browsersKeepTheFilesOfAVersion() throws Exception {
        for (String file : files(overview().body())) {
            assertKept(file);
        }
    }

    private static void assertKept(String file) throws Exception {
        HttpResponse<String> plain = client().get(file);

        assertThat(plain.statusCode()).as(file).isEqualTo(200);
        assertThat(plain.headers().firstValue("Content-Type").orElseThrow())
                .isEqualTo(file.endsWith(".css") ? "text/css;charset=UTF-8" : "text/javascript;charset=UTF-8");
        assertThat(plain.headers().firstValue("Cache-Control").orElseThrow())
                .contains("max-age=31536000", "public", "immutable");
        assertThat(plain.headers().firstValue("Vary").orElse("")).contains("Accept-Encoding");
        assertThat(plain.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(compressed(file).headers().firstValue("Content-Encoding")).hasValue("gzip");
        // The name of the project in its first line is the only address.
        assertThat(plain.body().replace("https://github.com/leeoniya/uPlot", ""))
                .doesNotContain("https://", "http://", "@import", "eval(", "new Function", "innerHTML");
    }

    @Test
    void filesOfAnotherVersionAreNotKept() throws Exception {
        HttpResponse<String> older = client().get("/assets/0/console.js");

        assertThat(older.statusCode()).isEqualTo(200);
        assertThat(older.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void thereAreNoOtherFiles() throws Exception {
        problem(client().get("/assets/0/page.js"), 404);
        problem(client().get("/assets/0/..%2Fmacros.peb"), 400);
        problem(client().get("/assets/0"), 401);
    }
}

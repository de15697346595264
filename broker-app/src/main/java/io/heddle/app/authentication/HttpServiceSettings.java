package io.heddle.app.authentication;

import static io.heddle.app.authentication.SettingChecks.require;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.Limit;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.http.HttpAuthenticator;
import io.heddle.persistence.http.ServiceLimits;
import io.heddle.persistence.http.ServiceRequests;
import io.heddle.persistence.http.TrustFile;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Authentication of clients by a service that is asked over HTTP, see security.md.
 *
 * @param url address of the service, https://... In its path and query, ${clientId}, ${username}, ${address} and ${listener} stand for values of
 *     the client
 * @param method POST, with all values in a JSON object, or GET, with user name and password in the header Authorization (Basic)
 * @param headerFile file with further headers of each request, such as an API key, each in a line: Name: value. It is read at the start
 * @param trustStore file (PEM) with the authorities that issue the certificate of the service; if empty, those that Java trusts. It is read at
 *     the start
 * @param allowHttp whether the address of the service may begin with http://; otherwise only that of a server on the same machine may
 * @param timeout maximum time of a request, and before it, of the wait for its turn
 * @param concurrentRequests maximum number of requests at once, each on a connection of its own, which is kept for the next one. Further
 *     clients wait for their turn
 * @param maximumPending maximum number of clients whose answers are pending; further ones are refused with "server busy"
 * @param cacheTime how long the answers "allow" and "ignore" are used for the same request without another one; 0s disables the cache
 * @param cacheSize maximum size of the cache of answers, which has no passwords; 0B disables it
 * @param breakerFailures number of failed requests in a row after which the service is no longer asked
 * @param breakerPause time until a single request finds out whether the service answers again
 */
public record HttpServiceSettings(
        @DefaultValue("") String url,
        @DefaultValue("POST") Method method,
        @DefaultValue("") String headerFile,
        @DefaultValue("") String trustStore,
        @DefaultValue("false") boolean allowHttp,
        @DefaultValue("5s") Duration timeout,
        @DefaultValue("100") int concurrentRequests,
        @DefaultValue("5000") int maximumPending,
        @DefaultValue("30s") Duration cacheTime,
        @DefaultValue("16MB") DataSize cacheSize,
        @DefaultValue("5") int breakerFailures,
        @DefaultValue("5s") Duration breakerPause) {
    private static final String PREFIX = "heddle.authentication.http.";
    private static final String URL = PREFIX + "url";
    private static final String HEADER_FILE = PREFIX + "header-file";
    private static final String CONCURRENT_REQUESTS = PREFIX + "concurrent-requests";
    private static final String MAXIMUM_PENDING = PREFIX + "maximum-pending";
    private static final String AUTHORIZATION = "Authorization";
    private static final long MAXIMUM_CACHE_BYTES = 1L << 34;

    public enum Method {
        GET,
        POST
    }

    public HttpServiceSettings {
        Duration second = Duration.ofSeconds(1);
        SettingRule.between(PREFIX + "timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(1));
        SettingRule.between(CONCURRENT_REQUESTS, concurrentRequests, 1, 10_000);
        SettingRule.between(MAXIMUM_PENDING, maximumPending, 1, 1_000_000);
        SettingRule.between(PREFIX + "cache-time", cacheTime, Duration.ZERO, Duration.ofHours(1));
        SettingRule.bytesBetween(PREFIX + "cache-size", cacheSize.toBytes(), 0, MAXIMUM_CACHE_BYTES);
        SettingRule.between(PREFIX + "breaker-failures", breakerFailures, 1, 1_000);
        SettingRule.between(PREFIX + "breaker-pause", breakerPause, second, Duration.ofMinutes(10));
    }

    /** Checks the address and the files, which belong to the method http. */
    public void check(boolean isUsed) {
        if (!isUsed && !url.isEmpty()) {
            throw new StartupException(
                    URL + " is set, but heddle.authentication.methods has no http: add it, or remove the setting",
                    null);
        }
        if (isUsed && url.isEmpty()) {
            throw new StartupException(
                    "heddle.authentication.methods has http, but there is no service: set " + URL, null);
        }
        if (isUsed) {
            var _ = requests();
            var _ = headers();
            var _ = trust();
        }
    }

    /**
     * Creates the method.
     *
     * @param failures the networks that have lower priority
     */
    public HttpAuthenticator toAuthenticator(SignInFailures failures, SteadyClock clock, MeterRegistry metrics) {
        return new HttpAuthenticator(
                requests(),
                headers(),
                trust(),
                new ServiceLimits(
                        timeout,
                        new Limit(CONCURRENT_REQUESTS, concurrentRequests),
                        cacheTime,
                        cacheSize.toBytes(),
                        breakerFailures,
                        breakerPause),
                failures::isFailing,
                InstantSource.system(),
                clock,
                System::nanoTime,
                metrics);
    }

    public Limit limit() {
        return new Limit(MAXIMUM_PENDING, maximumPending);
    }

    private ServiceRequests requests() {
        ServiceRequests requests = require(URL, () -> ServiceRequests.parse(url, method == Method.POST));
        var _ = SettingChecks.address(
                URL, requests.withoutValues(), allowHttp, "read the passwords", PREFIX + "allow-http");
        return requests;
    }

    private @Nullable SSLContext trust() {
        return trustStore.isEmpty() ? null : TrustFile.read(PREFIX + "trust-store", Path.of(trustStore));
    }

    private Map<String, String> headers() {
        return headerFile.isEmpty()
                ? Map.of()
                : require(HEADER_FILE, () -> headers(new String(SettingChecks.read(HEADER_FILE, headerFile), UTF_8)));
    }

    private Map<String, String> headers(String text) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int colon = line.indexOf(':');
            if (line.isBlank()) {
                continue;
            }
            String name = line.substring(0, Math.max(colon, 0));
            String value = line.substring(colon + 1).strip();
            if (!isHeader(name, value) || headers.put(name, value) != null) {
                throw new IllegalArgumentException("names a file whose line " + (i + 1)
                        + " is no header that can be sent, or repeats one: write lines like X-API-Key: 1234");
            }
        }
        if (method == Method.GET && headers.containsKey(AUTHORIZATION)) {
            throw new IllegalArgumentException("names a file with the header " + AUTHORIZATION
                    + ", which has the password of the client if the method is GET: use another header, or POST");
        }
        return headers;
    }

    private static boolean isHeader(String name, String value) {
        try {
            var _ = HttpRequest.newBuilder(URI.create("https://host")).header(name, value);
            return true;
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }
}

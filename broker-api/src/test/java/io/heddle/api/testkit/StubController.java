package io.heddle.api.testkit;

import io.heddle.core.StoreUnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Resources for tests: some can be changed, others fail. */
@RestController
public class StubController {
    /** Body of a POST request. */
    public record Thing(int size) {}

    private final AtomicInteger changes = new AtomicInteger();

    /** Returns the number of changes. */
    public int changes() {
        return changes.get();
    }

    @PostMapping("/test/things")
    void create(@RequestBody Thing thing) {
        changes.addAndGet(thing.size());
    }

    @DeleteMapping("/test/things")
    void delete() {
        changes.incrementAndGet();
    }

    @GetMapping("/test/bug")
    String bug() {
        throw new IllegalStateException("password=hunter2");
    }

    @GetMapping("/test/number")
    int number(@RequestParam int value) {
        return value;
    }

    @GetMapping("/test/parameters")
    int parameters(@RequestParam Map<String, String> parameters) {
        return parameters.size();
    }

    @GetMapping("/test/store")
    String store() {
        throw StoreUnavailableException.redis("Redis at secret-host", new IllegalStateException("refused"));
    }

    @GetMapping("/test/status")
    void status(HttpServletResponse response) throws IOException {
        response.sendError(410, "password=hunter2");
    }

    @GetMapping("/test/thread")
    boolean thread() {
        return Thread.currentThread().isVirtual();
    }
}

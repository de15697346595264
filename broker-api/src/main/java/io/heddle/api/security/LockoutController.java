package io.heddle.api.security;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.problem.RequestProblem;
import io.heddle.api.security.SignInLimits.Lockout;
import io.heddle.core.RemoteNetwork;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists and lifts the lockouts of those who have signed in to this node with wrong passwords or keys. */
@RestController
public final class LockoutController {
    private final SignInGuard guard;
    private final Audit audit;
    private final InstantSource clock = InstantSource.system();

    public LockoutController(SignInGuard guard, Audit audit) {
        this.guard = guard;
        this.audit = audit;
    }

    /**
     * The lockouts, those that end last first.
     *
     * @param items at most 30,000
     */
    record LockoutsResponse(List<LockoutResponse> items) {}

    /**
     * A lockout.
     *
     * @param userName null if all names at the address are locked
     * @param address or IPv6 /64; null if the name is locked at all addresses where it has not signed in within a day
     */
    record LockoutResponse(
            @Nullable String userName, @Nullable String address, long failures, Instant until) {}

    @GetMapping("/api/v1/lockouts")
    LockoutsResponse list() {
        Instant now = clock.instant();
        return new LockoutsResponse(guard.lockouts().stream()
                .sorted(Comparator.comparing(Lockout::remaining).reversed())
                .map(each -> new LockoutResponse(
                        each.name(),
                        described(each.network()),
                        each.failures(),
                        now.plus(each.remaining()).truncatedTo(ChronoUnit.MILLIS)))
                .toList());
    }

    private static @Nullable String described(@Nullable String network) {
        return network == null ? null : RemoteNetwork.described(network);
    }

    /** Lifts the lockouts of a name, of an address, or of the name at the address. */
    @DeleteMapping("/api/v1/lockouts")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void lift(
            @RequestParam(required = false) @Nullable String userName,
            @RequestParam(required = false) @Nullable String address,
            HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        if (userName == null && address == null) {
            throw RequestProblem.invalid("userName", "Give userName, address, or both.");
        }
        String target = "lockouts?userName=" + Objects.requireNonNullElse(userName, "") + "&address="
                + Objects.requireNonNullElse(address, "");
        audit.change(request, AuditAction.LIFT_LOCKOUTS, target, null, () -> {
            guard.lockouts().stream()
                    .filter(each -> userName == null || userName.equals(each.name()))
                    .filter(each -> address == null || address.equals(described(each.network())))
                    .forEach(guard::lift);
            return Audited.nothing();
        });
    }
}

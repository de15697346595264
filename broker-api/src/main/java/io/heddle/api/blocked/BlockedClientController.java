package io.heddle.api.blocked;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, creates and lifts blocks of clients. A user with the role ADMIN or OPERATOR may change something. */
@RestController
public final class BlockedClientController {
    private static final ListRules RULES = ListRules.of(List.of("value", "-value"), "kind", "valuePrefix", "createdBy");

    private final BlockedClientStore store;
    private final Audit audit;

    public BlockedClientController(BlockedClientStore store, Audit audit) {
        this.store = store;
        this.audit = audit;
    }

    @GetMapping("/api/v1/blocked-clients")
    Page<BlockedClientResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        Kind kind = list.choice("kind", Kind.class);
        String prefix = list.text("valuePrefix");
        String author = list.text("createdBy");
        List<BlockedClient> found = store.all().stream()
                .filter(entry -> kind == null || entry.kind() == kind)
                .filter(entry -> prefix == null || entry.value().startsWith(prefix))
                .filter(entry -> author == null || entry.createdBy().equals(author))
                .toList();
        // No value contains a line break.
        return Page.ofAll(list, found, entry -> entry.value() + '\n' + entry.kind(), BlockedClientResponse::of);
    }

    /** Blocks clients, also those that are connected. Replaces an entry of the same kind and value. */
    @PostMapping("/api/v1/blocked-clients")
    @ResponseStatus(HttpStatus.CREATED)
    BlockedClientResponse block(@RequestBody BlockedClientBody body, HttpServletRequest request) {
        Principal administrator = request.getUserPrincipal();
        BlockedClient entry = body.toEntry(administrator == null ? "" : administrator.getName(), Instant.now());
        return audit.change(request, AuditAction.BLOCK_CLIENT, target(entry.id()), null, () -> {
            if (!store.put(entry)) {
                throw RequestProblem.conflict("There are " + BlockedClientStore.MAXIMUM
                        + " blocked clients, which is the maximum: lift some, or block a pattern or a network.");
            }
            return Audited.of(BlockedClientResponse.of(entry));
        });
    }

    /** Lifts a block, if it exists. */
    @DeleteMapping("/api/v1/blocked-clients/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void lift(@PathVariable UUID id, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        BlockedClient entry = store.find(id);
        if (entry == null) {
            return;
        }
        audit.change(request, AuditAction.UNBLOCK_CLIENT, target(id), BlockedClientResponse.of(entry), () -> {
            store.remove(id);
            return Audited.nothing();
        });
    }

    private static String target(UUID id) {
        return "blocked-clients/" + id;
    }

    /**
     * JSON representation of an entry.
     *
     * @param until null if it stays until it is lifted
     * @param createdBy an administrator, or flapping for an entry of the broker itself
     */
    record BlockedClientResponse(
            UUID id,
            String kind,
            String value,
            String reason,
            @Nullable Instant until,
            String createdBy,
            Instant createdAt) {
        static BlockedClientResponse of(BlockedClient entry) {
            return new BlockedClientResponse(
                    entry.id(),
                    entry.kind().name(),
                    entry.value(),
                    entry.reason(),
                    entry.until(),
                    entry.createdBy(),
                    entry.createdAt());
        }
    }
}

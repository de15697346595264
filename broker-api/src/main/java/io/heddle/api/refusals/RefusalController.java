package io.heddle.api.refusals;

import io.heddle.api.page.ClusterPage;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.refusal.RefusalQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists what all nodes have refused last. */
@RestController
public final class RefusalController {
    // So many fit into an answer of each node.
    private static final int MAXIMUM_LIMIT = 250;
    private static final ListRules RULES = ListRules.of(List.of("-last"), "kind", "clientId", "clientIdPrefix")
            .withLimits(ListRules.DEFAULT_LIMIT, MAXIMUM_LIMIT);

    private final Node node;

    public RefusalController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/refusals")
    ClusterPage<RefusalResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        RefusalPage found = node.refusals(new RefusalQuery(
                list.choice("kind", Kind.class),
                list.text("clientId"),
                Objects.requireNonNullElse(list.text("clientIdPrefix"), ""),
                before(list),
                list.limit() + 1));
        Page<RefusalResponse> page = Page.of(
                found.entries(),
                list.limit(),
                RefusalResponse::of,
                last -> list.next(last.refusal().last().toString()));
        return ClusterPage.of(page, found.missingNodes());
    }

    private static @Nullable Instant before(ListRequest list) {
        String key = list.after();
        try {
            return key == null ? null : Instant.parse(key);
        } catch (DateTimeParseException notATime) {
            throw Cursor.bad();
        }
    }

    /**
     * JSON representation of refusals of one kind to one client.
     *
     * @param kind a name of {@link io.heddle.core.client.RecentRefusals.Kind}
     * @param clientId null if it is unknown
     */
    record RefusalResponse(
            String kind,
            String reason,
            String detail,
            @Nullable String clientId,
            @Nullable String userName,
            @Nullable String address,
            String node,
            long count,
            Instant first,
            Instant last) {
        static RefusalResponse of(RefusalPage.Entry entry) {
            Refusal refusal = entry.refusal();
            return new RefusalResponse(
                    refusal.kind().name(),
                    refusal.reason(),
                    refusal.detail(),
                    refusal.clientId().isEmpty() ? null : refusal.clientId(),
                    refusal.userName(),
                    refusal.address().isEmpty() ? null : refusal.address(),
                    entry.node(),
                    refusal.count(),
                    refusal.first(),
                    refusal.last());
        }
    }
}

package io.heddle.api.buckets;

import io.heddle.api.page.ClusterPage;
import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.bucket.BucketState;
import io.heddle.core.operator.bucket.BucketStates;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the buckets with their owners, their holders, and how far the holders have applied the logs. */
@RestController
public final class BucketController {
    private static final ListRules RULES = ListRules.of(List.of("bucket", "-bucket"), "holder", "lagging");

    private final Node node;

    public BucketController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/buckets")
    ClusterPage<BucketResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        int after = after(list);
        boolean isDescending = list.sort().isDescending();
        String holder = list.text("holder");
        Boolean isLagging = list.flag("lagging");
        BucketStates states = node.buckets();
        List<BucketState> found = (isDescending ? states.buckets().reversed() : states.buckets())
                .stream()
                        .filter(each -> isDescending ? each.bucket() < after : each.bucket() > after)
                        .filter(each -> holder == null || holder.equals(each.holder()))
                        .filter(each -> isLagging == null || isLagging == each.isLagging())
                        .limit(list.limit() + 1L)
                        .toList();
        Page<BucketResponse> page =
                Page.of(found, list.limit(), BucketResponse::of, last -> list.next(Integer.toString(last.bucket())));
        return ClusterPage.of(page, states.missingNodes());
    }

    private static int after(ListRequest list) {
        String key = list.after();
        if (key == null) {
            return list.sort().isDescending() ? Integer.MAX_VALUE : -1;
        }
        try {
            return Integer.parseInt(key);
        } catch (NumberFormatException notABucket) {
            throw Cursor.bad();
        }
    }

    /**
     * @param owner the id of the node that should hold it; null if no node may
     * @param holder the id of the node that holds it; null if none does
     * @param endOffset the end of its log, open commits included
     * @param logBytes the size of its log on the disk of one Kafka broker
     * @param appliedOffset of the last command that is in the queues, -1 for none; null if the holder has not answered, like the fields below
     * @param lagSeconds the age of the oldest command of the holder that is not applied
     * @param lagBytes the bytes of the commands of the holder that are not applied
     * @param blocked why the log is not applied although Redis answers; null if it is applied
     */
    record BucketResponse(
            int bucket,
            @Nullable String owner,
            @Nullable String holder,
            long endOffset,
            long logBytes,
            @Nullable Long appliedOffset,
            @Nullable Double lagSeconds,
            @Nullable Long lagBytes,
            @Nullable String blocked) {
        private static final double MILLIS_PER_SECOND = 1_000;

        static BucketResponse of(BucketState state) {
            BucketState.Progress progress = state.progress();
            return new BucketResponse(
                    state.bucket(),
                    state.owner(),
                    state.holder(),
                    state.endOffset(),
                    state.logBytes(),
                    progress == null ? null : progress.appliedOffset(),
                    progress == null ? null : progress.lagMillis() / MILLIS_PER_SECOND,
                    progress == null ? null : progress.lagBytes(),
                    progress == null ? null : progress.blocked());
        }
    }
}

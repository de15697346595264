package io.heddle.api.buckets;

import io.heddle.api.page.Cursor;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.operator.bucket.BucketStates;
import io.heddle.core.operator.bucket.ServingBuckets;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the buckets with their owners, their holders, and how far the holders have applied the logs. */
@RestController
public final class BucketController {
    private static final ListRules RULES = ListRules.of(List.of("bucket"));

    private final ServingBuckets buckets;

    public BucketController(ServingBuckets buckets) {
        this.buckets = buckets;
    }

    @GetMapping("/api/v1/buckets")
    Page<BucketResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        int after = after(list.after());
        BucketStates states = buckets.all();
        List<BucketResponse> found = states.buckets().stream()
                .filter(each -> each.bucket() > after)
                .map(BucketResponse::of)
                .toList();
        boolean hasMore = found.size() > list.limit();
        List<BucketResponse> shown = hasMore ? found.subList(0, list.limit()) : found;
        return new Page<>(
                shown, hasMore ? list.next(Integer.toString(shown.getLast().bucket())) : null, states.missingNodes());
    }

    private static int after(@Nullable String key) {
        try {
            return key == null ? -1 : Integer.parseInt(key);
        } catch (NumberFormatException notABucket) {
            throw Cursor.bad();
        }
    }
}

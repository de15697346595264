package io.heddle.core.client;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One object for each event loop of the node, created when it is first asked for. Thread-safe; the objects are those of their loops.
 *
 * @param <T> the objects
 */
public final class PerLoop<T> {
    private final Function<EventLoop, T> create;
    // By the index of the loop. Replaced under the lock of this, never changed.
    private volatile @Nullable Object[] objects = new Object[0];

    /** @param create creates the object of a loop, under a lock */
    public PerLoop(Function<EventLoop, T> create) {
        this.create = create;
    }

    /** Returns the object of an event loop. Any thread. */
    public T of(EventLoop loop) {
        @Nullable Object[] present = objects;
        Object found = loop.index() < present.length ? present[loop.index()] : null;
        return found == null ? created(loop) : cast(found);
    }

    private synchronized T created(EventLoop loop) {
        @Nullable Object[] present = objects;
        Object found = loop.index() < present.length ? present[loop.index()] : null;
        if (found != null) {
            return cast(found);
        }
        @Nullable Object[] all = Arrays.copyOf(present, Math.max(present.length, loop.index() + 1));
        T created = create.apply(loop);
        all[loop.index()] = created;
        objects = all;
        return created;
    }

    // The array contains only objects of this type.
    @SuppressWarnings("unchecked")
    private T cast(Object object) {
        return (T) object;
    }

    /** Returns the objects that were created, in the order of their loops. */
    public List<T> all() {
        return Stream.of(objects).filter(Objects::nonNull).map(this::cast).toList();
    }
}

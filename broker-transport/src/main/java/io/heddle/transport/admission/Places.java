package io.heddle.transport.admission;

import io.heddle.transport.admission.Place.State;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A number of places for connections. New connections, whose peers have not said yet who they are, compete for them by these rules:
 *
 * <ul>
 *   <li>The new connections of one network take at most half of the places that are free without them. So there is always a place for others.
 *   <li>If there is no place for a connection, it gets that of the oldest new connection whose peer has sent nothing yet: of the same network
 *       if the network has used up its share, else of any.
 *   <li>If more than half of the free places are taken by new connections, or more than a quarter by those of one network, each event loop
 *       sweeps these: it closes those whose peers are silent or slow.
 * </ul>
 *
 * <p>Connections that wait for a busy node are not silent and keep their places. Thread-safe; each event loop sweeps its own connections.
 */
public final class Places {
    /** The outcome of an attempt to take a place. */
    public enum Answer {
        TAKEN,
        /** All places are taken. */
        FULL,
        /** The network has used up its share. */
        SHARE_USED,
        /** The place was given to another connection. */
        EVICTED
    }

    private final int maximum;
    private final Map<EventLoop, OfLoop> byLoop = new ConcurrentHashMap<>();
    // Guarded by this.
    private final Map<String, OfNetwork> networks = new HashMap<>();
    private final Set<Place> unheard = new LinkedHashSet<>();
    private int newcomers;
    private int settled;

    /** The new connections of a network. Guarded by the places. */
    static final class OfNetwork {
        private final String name;
        private int newcomers;
        private final Set<Place> unheard = new LinkedHashSet<>();

        private OfNetwork(String name) {
            this.name = name;
        }
    }

    /** Owned by the event loop. */
    private static final class OfLoop {
        private final Set<Place> newcomers = new LinkedHashSet<>();
        private boolean isSweeping;
    }

    /** @param maximum number of places, at least 1 */
    public Places(int maximum) {
        if (maximum < 1) {
            throw new IllegalArgumentException("maximum number of places must be positive");
        }
        this.maximum = maximum;
    }

    public synchronized int newcomers() {
        return newcomers;
    }

    /** Returns the number of new connections whose peers have sent nothing yet. */
    public synchronized int unheard() {
        return unheard.size();
    }

    /** Returns how many new connections a network may have if no other has any. */
    public synchronized int share() {
        return share(0);
    }

    private int share(int others) {
        // Rounded up, without an overflow.
        int free = maximum - settled - others;
        return Math.max(1, free / 2 + free % 2);
    }

    Answer enter(Place place, @Nullable String network) {
        Place evicted = null;
        Answer answer;
        boolean isCrowded;
        synchronized (this) {
            OfNetwork own = network == null ? null : networks.computeIfAbsent(network, OfNetwork::new);
            answer = answer(own);
            if (answer != Answer.TAKEN) {
                evicted = oldest(answer == Answer.SHARE_USED && own != null ? own.unheard : unheard);
            }
            if (evicted != null) {
                remove(evicted);
                answer = Answer.TAKEN;
            }
            if (answer == Answer.TAKEN) {
                add(place, own);
            } else {
                forgetEmpty(own);
            }
            isCrowded = isCrowded(own);
        }
        if (evicted != null) {
            evicted.evict();
        }
        OfLoop ofLoop = byLoop.computeIfAbsent(place.loop(), _ -> new OfLoop());
        if (answer == Answer.TAKEN) {
            ofLoop.newcomers.add(place);
        }
        if (isCrowded) {
            sweepLater(place, ofLoop);
        }
        return answer;
    }

    private Answer answer(@Nullable OfNetwork own) {
        if (own != null && own.newcomers > 0 && own.newcomers >= share(newcomers - own.newcomers)) {
            return Answer.SHARE_USED;
        }
        return newcomers + settled >= maximum ? Answer.FULL : Answer.TAKEN;
    }

    private static @Nullable Place oldest(Set<Place> places) {
        Iterator<Place> each = places.iterator();
        return each.hasNext() ? each.next() : null;
    }

    private void add(Place place, @Nullable OfNetwork own) {
        // An eviction may have emptied the network, which was forgotten then.
        place.state = State.UNHEARD;
        place.network = own;
        newcomers++;
        unheard.add(place);
        if (own != null) {
            networks.put(own.name, own);
            own.newcomers++;
            own.unheard.add(place);
        }
    }

    /** Takes the place from a new connection. */
    private void remove(Place place) {
        place.state = State.OUTSIDE;
        newcomers--;
        unheard.remove(place);
        OfNetwork own = place.network;
        place.network = null;
        if (own != null) {
            own.newcomers--;
            own.unheard.remove(place);
            forgetEmpty(own);
        }
    }

    private void forgetEmpty(@Nullable OfNetwork own) {
        if (own != null && own.newcomers == 0) {
            networks.remove(own.name);
        }
    }

    Answer heard(Place place, @Nullable String network) {
        boolean isOfOther;
        synchronized (this) {
            if (!isNew(place)) {
                return place.state == State.SETTLED ? Answer.TAKEN : Answer.EVICTED;
            }
            OfNetwork own = place.network;
            isOfOther = !Objects.equals(own == null ? null : own.name, network);
            if (isOfOther) {
                remove(place);
            } else if (place.state == State.UNHEARD) {
                place.state = State.HEARD;
                unheard.remove(place);
                if (own != null) {
                    own.unheard.remove(place);
                }
            }
        }
        Answer answer = isOfOther ? enter(place, network) : Answer.TAKEN;
        return isOfOther && answer == Answer.TAKEN ? heard(place, network) : answer;
    }

    private static boolean isNew(Place place) {
        return place.state == State.UNHEARD || place.state == State.HEARD;
    }

    boolean settle(Place place) {
        synchronized (this) {
            if (!isNew(place)) {
                return place.state == State.SETTLED;
            }
            remove(place);
            place.state = State.SETTLED;
            settled++;
        }
        forget(place);
        return true;
    }

    /** A settled connection ends, whose place has not been kept. */
    public synchronized void vacate() {
        settled--;
    }

    void leave(Place place) {
        synchronized (this) {
            if (place.state == State.SETTLED) {
                place.state = State.OUTSIDE;
                settled--;
            } else if (isNew(place)) {
                remove(place);
            }
        }
        forget(place);
    }

    private void forget(Place place) {
        OfLoop own = byLoop.get(place.loop());
        if (own != null) {
            own.newcomers.remove(place);
        }
    }

    /** Returns whether new connections are so many that idle ones of this network are closed. */
    private boolean isCrowded(@Nullable OfNetwork own) {
        int free = maximum - settled;
        return newcomers > free / 2 || (own != null && own.newcomers > free / 4);
    }

    private void sweepLater(Place any, OfLoop own) {
        if (!own.isSweeping) {
            own.isSweeping = true;
            var _ = any.loop().schedule(() -> sweep(own), any.sweepNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Closes idle connections of this event loop. Sweeps go on while there are many. */
    private void sweep(OfLoop own) {
        own.isSweeping = false;
        Place remaining = null;
        for (Place each : List.copyOf(own.newcomers)) {
            if (evictIfIdle(each)) {
                own.newcomers.remove(each);
            } else if (isInCrowd(each)) {
                remaining = each;
            }
        }
        if (remaining != null) {
            sweepLater(remaining, own);
        }
    }

    private synchronized boolean isInCrowd(Place place) {
        return isNew(place) && isCrowded(place.network);
    }

    private boolean evictIfIdle(Place place) {
        synchronized (this) {
            if (!isNew(place)) {
                // Evicted by a connection of another event loop.
                return true;
            }
            if (!isCrowded(place.network) || !place.isIdle()) {
                return false;
            }
            remove(place);
        }
        place.evict();
        return true;
    }
}

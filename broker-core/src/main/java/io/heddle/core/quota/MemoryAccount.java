package io.heddle.core.quota;

import io.heddle.core.HotPath;

/**
 * What one session holds of the node's {@link MemoryBudget}. Belongs to the session's event loop. Its client is there until it
 * is said to be away; what is held then counts among what absent clients' sessions hold, and is taken from their share.
 */
@HotPath
public final class MemoryAccount {
    private final MemoryBudget budget;
    private long bytes;
    private boolean away;

    /** An account with nothing on it, of a client that is there. */
    public MemoryAccount(MemoryBudget budget) {
        this.budget = budget;
    }

    /** Takes so many bytes, or says no and takes none. */
    public boolean tryTake(long more) {
        boolean taken = away ? budget.tryTakeAbsent(more) : budget.tryTake(more);
        if (taken) {
            bytes += more;
        }
        return taken;
    }

    /** Puts on the account what was taken from the budget before there was one. Only while the client is there. */
    public void adopt(long taken) {
        if (away) {
            throw new IllegalStateException("only what is taken for a client that is there can be adopted");
        }
        bytes += taken;
    }

    /** Gives back what was taken. */
    public void giveBack(long less) {
        bytes -= less;
        if (away) {
            budget.giveBackAbsent(less);
        } else {
            budget.giveBack(less);
        }
    }

    /** The client is away. It keeps what it has, also where that is more than absent clients may hold together. */
    public void clientGone() {
        if (!away) {
            away = true;
            budget.nowAbsent(bytes);
        }
    }

    /** The client is there. */
    public void clientBack() {
        if (away) {
            away = false;
            budget.nowAbsent(-bytes);
        }
    }

    /** Whether this client is away and those who are hold more together than they may. */
    public boolean isOverdrawn() {
        return away && budget.isAbsentShareExceeded();
    }
}

package io.heddle.core.sys;

/** The session of a client that may be among the readers of the broker's topics. */
public interface SysReader {
    /** Returns whether the connected client may read them. Owner thread only. */
    boolean mayReadSys();
}

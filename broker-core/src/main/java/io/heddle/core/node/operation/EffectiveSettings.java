package io.heddle.core.node.operation;

import java.util.List;

/** The settings of this process. Implemented by the application. */
public interface EffectiveSettings {
    /** Returns all settings in the order of their keys. Does not block; any thread. */
    List<EffectiveSetting> all();
}

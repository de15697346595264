package io.heddle.core.administration;

public enum AdminChange {
    DONE,
    /** No administrator has the name. */
    ABSENT,
    /** Nothing was changed, because the cluster would have no administrator with the role {@link AdminRole#ADMIN}. */
    LAST_ADMIN
}

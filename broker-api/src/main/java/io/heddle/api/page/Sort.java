package io.heddle.api.page;

/**
 * The order of a list.
 *
 * @param key the name of the field
 * @param isDescending whether the greatest comes first
 */
public record Sort(String key, boolean isDescending) {
    static Sort parse(String text) {
        return text.startsWith("-") ? new Sort(text.substring(1), true) : new Sort(text, false);
    }

    /** Returns the value of the parameter {@code sort}. */
    @Override
    public String toString() {
        return isDescending ? "-" + key : key;
    }
}

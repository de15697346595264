package io.heddle.api.rules;

import org.jspecify.annotations.Nullable;

/** @param text one rule or option in each line */
record RulesBody(@Nullable String text) {}

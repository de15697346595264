package io.heddle.api.settings;

import io.heddle.core.node.operation.EffectiveSetting;

/**
 * JSON representation of a setting.
 *
 * @param origin where the value was set; empty for a default
 */
record SettingResponse(String key, String value, String origin) {
    static SettingResponse of(EffectiveSetting setting) {
        return new SettingResponse(setting.key(), setting.value(), setting.origin());
    }
}

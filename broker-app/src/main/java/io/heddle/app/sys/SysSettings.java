package io.heddle.app.sys;

import io.heddle.core.sys.SysReaders;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Topics about the broker.
 *
 * @param interval how often the topics below $SYS/broker are updated; 0s means that there are none
 * @param readableBy clients that may subscribe to topics below $SYS: everyone; authenticated, which includes anonymous clients on this
 *     machine; or nobody. Other clients get reason code 0x87
 */
public record SysSettings(
        @DefaultValue("10s") Duration interval,
        @DefaultValue("authenticated") SysReaders readableBy) {
    public SysSettings {
        SettingRule.between("heddle.sys.interval", interval, Duration.ZERO, Duration.ofDays(1));
    }
}

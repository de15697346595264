package io.heddle.api.settings;

import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.core.node.operation.EffectiveSetting;
import io.heddle.core.node.operation.EffectiveSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the settings of the answering node in the order of their keys. */
@RestController
public final class SettingsController {
    private static final ListRules RULES = ListRules.of(List.of("key", "-key"), "keyPrefix");

    private final EffectiveSettings settings;

    public SettingsController(EffectiveSettings settings) {
        this.settings = settings;
    }

    @GetMapping("/api/v1/settings")
    Page<EffectiveSetting> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        String prefix = Objects.requireNonNullElse(list.text("keyPrefix"), "");
        List<EffectiveSetting> found = settings.all().stream()
                .filter(setting -> setting.key().startsWith(prefix))
                .toList();
        return Page.ofAll(list, found, EffectiveSetting::key, Function.identity());
    }
}

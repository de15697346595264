package io.heddle.app.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.util.Set;
import java.util.stream.Collectors;

/** Classes of the broker modules without tests and fixtures, for {@link HouseRulesTest}. */
public final class ProductionClasses implements LocationProvider {
    @Override
    public Set<Location> get(Class<?> testClass) {
        return Project.here().productionClasses().stream().map(Location::of).collect(Collectors.toSet());
    }
}

package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;

/** Production classes comply with all rules. {@link BrokenHouseTest} proves that each rule can fail and names the culprit. */
@AnalyzeClasses(locations = ProductionClasses.class)
class HouseRulesTest {
    private static final String SOURCES = "/src/main/java/";

    @ArchTest
    static final ArchRule coreIsPlainJava = ModuleLayers.CORE_IS_PLAIN_JAVA;

    @ArchTest
    static final ArchRule everyClassIsInAModule = ModuleLayers.EVERY_CLASS_IS_IN_A_MODULE;

    @ArchTest
    static final ArchRule transportKnowsOnlyCore = ModuleLayers.TRANSPORT_KNOWS_ONLY_CORE;

    @ArchTest
    static final ArchRule persistenceKnowsOnlyCore = ModuleLayers.PERSISTENCE_KNOWS_ONLY_CORE;

    @ArchTest
    static final ArchRule apiKnowsOnlyCore = ModuleLayers.API_KNOWS_ONLY_CORE;

    @ArchTest
    static final ArchRule standaloneKnowsNoModule = ModuleLayers.STANDALONE_KNOWS_NO_MODULE;

    @ArchTest
    static final ArchRule coreIsLayered = CoreLayers.CORE_IS_LAYERED;

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = CoreLayers.PACKAGES_ARE_FREE_OF_CYCLES;

    @ArchTest
    static final ArchRule classCyclesAreSmall = ClassCycles.CLASS_CYCLES_ARE_SMALL;

    @ArchTest
    static final ArchRule sessionPackagesAreSmall = PackageRules.SESSION_PACKAGES_ARE_SMALL;

    @ArchTest
    static final ArchRule springIsOnlyInApiAndApp = ModuleLayers.SPRING_ONLY_IN_API_AND_APP;

    @ArchTest
    static final ArchRule onlyThePollLoopPolls = ModuleLayers.ONLY_THE_POLL_LOOP_POLLS;

    @ArchTest
    static final ArchRule kafkaIsOnlyInItsPackage = ModuleLayers.KAFKA_ONLY_IN_ITS_PACKAGE;

    @ArchTest
    static final ArchRule lettuceIsOnlyInItsPackage = ModuleLayers.LETTUCE_ONLY_IN_ITS_PACKAGE;

    @ArchTest
    static final ArchRule jdbcIsOnlyInItsPackage = ModuleLayers.JDBC_ONLY_IN_ITS_PACKAGE;

    @ArchTest
    static final ArchRule nettyIsOnlyInTransport = ModuleLayers.NETTY_ONLY_IN_TRANSPORT;

    @ArchTest
    static final ArchRule namesSayWhatAClassOwns = NameRules.NAMES_SAY_WHAT_A_CLASS_OWNS;

    @ArchTest
    static final ArchRule packagesAreCapabilities = NameRules.PACKAGES_ARE_CAPABILITIES;

    @ArchTest
    static final ArchRule noFieldInjection = HabitRules.NO_FIELD_INJECTION;

    @ArchTest
    static final ArchRule nobodySleeps = HabitRules.NO_SLEEP;

    @ArchTest
    static final ArchRule nobodyReadsTheWallClock = HabitRules.NO_WALL_CLOCK;

    @ArchTest
    static final ArchRule noBareThreads = HabitRules.NO_BARE_THREADS;

    @ArchTest
    static final ArchRule asynchronousStepsNameTheirExecutor = HabitRules.ASYNCHRONOUS_STEPS_NAME_THEIR_EXECUTOR;

    @ArchTest
    static final ArchRule hotPathAllocatesNoConvenience = HabitRules.HOT_PATH_ALLOCATES_NO_CONVENIENCE;

    @ArchTest
    static final ArchRule packagesAreNullMarked = PackageRules.PACKAGES_ARE_NULL_MARKED;

    @ArchTest
    static final ArchRule eventLoopsDoNotBlock = EventLoopRules.EVENT_LOOPS_DO_NOT_BLOCK;

    @ArchTest
    static final ArchRule eventLoopsReachNothingThatBlocks = EventLoopRules.EVENT_LOOPS_REACH_NOTHING_THAT_BLOCKS;

    @ArchTest
    static void portsHaveContractsThatTheirAdaptersPass(JavaClasses production) {
        JavaClasses tests = new ClassFileImporter().importPaths(Project.here().testClasses());

        PortRules.portsHaveContracts(tests).check(production);
    }

    @ArchTest
    static void theRulesCheckTheClassesOfAllModulesAndNoTests(JavaClasses production) {
        for (Path source : Project.here().mainSources()) {
            String path = source.toString();
            if (path.contains("/broker-") && !Project.name(source).equals("package-info.java")) {
                int start = path.indexOf(SOURCES) + SOURCES.length();
                String type =
                        path.substring(start, path.length() - ".java".length()).replace('/', '.');
                assertThat(production.contain(type)).as(type).isTrue();
            }
        }
        assertThat(production.contain(HouseRulesTest.class)).isFalse();
        assertThat(production).noneMatch(type -> type.getPackageName().startsWith("io.heddle.core.testkit"));
    }
}

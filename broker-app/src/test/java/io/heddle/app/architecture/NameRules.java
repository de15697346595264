package io.heddle.app.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;

/** Forbidden names of classes and packages. */
final class NameRules {
    static final ArchRule NAMES_SAY_WHAT_A_CLASS_OWNS = noClasses()
            .that()
            .resideInAPackage(ModuleLayers.HEDDLE)
            .should()
            .haveSimpleNameEndingWith("Impl")
            .orShould()
            .haveNameMatching(".*[.$][^.$]*Util[^.$]*")
            .orShould()
            .haveSimpleNameContaining("Helper")
            .orShould()
            .haveSimpleNameContaining("Manager")
            .orShould()
            .haveNameMatching(".*[.$]I[A-Z][^.$]*")
            .because(
                    "a class is a noun that owns something, and such a name does not say what. Name an adapter by its technology and"
                            + " an interface by its purpose")
            .allowEmptyShould(true);

    static final ArchRule PACKAGES_ARE_CAPABILITIES = classes()
            .that()
            .resideInAPackage(ModuleLayers.HEDDLE)
            .should()
            .resideOutsideOfPackages(
                    "..util..",
                    "..utils..",
                    "..common..",
                    "..service..",
                    "..services..",
                    "..impl..",
                    "..model..",
                    "..dto..",
                    "..helper..",
                    "..manager..",
                    "..misc..")
            .because(
                    "packages are capabilities named by MQTT's nouns; a package named by a kind of class collects unrelated classes")
            .allowEmptyShould(true);

    private NameRules() {}
}

package io.heddle.perf.load.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapInfoTest {
    @Test
    void generationsOfTheSerialCollectorAreAddedUp() {
        assertThat(HeapInfo.usedBytes("""
                        1234:
                         def new generation   total 78656K, used 1000K [0x00000000f0000000, 0x00000000f5550000)
                          eden space 69952K,   2% used [0x00000000f0000000, 0x00000000f01b5b88)
                         tenured generation   total 174784K, used 24K [0x00000000f5550000, 0x0000000100000000)
                         Metaspace       used 4100K, committed 4288K, reserved 1114112K
                          class space    used 400K, committed 512K, reserved 1048576K
                        """)).isEqualTo(1024 * 1024);
    }

    @Test
    void g1HasOneFigure() {
        assertThat(HeapInfo.usedBytes("""
                        1234:
                         garbage-first heap   total reserved 6291456K, committed 65536K, used 2048K [0x0000, 0x0001)
                          region size 4096K, 2 young (8192K), 0 survivors (0K)
                         Metaspace       used 4100K, committed 4288K, reserved 1114112K
                        """)).isEqualTo(2048 * 1024);
    }

    @Test
    void heapOfARunningJvmIsMeasured() {
        MeasuredProcess own = new MeasuredProcess("own", ProcessHandle.current().pid(), false);
        assertThat(own.heapBytesAfterCollection().orElse(0))
                .isBetween(1_000_000L, Runtime.getRuntime().maxMemory());
    }
}

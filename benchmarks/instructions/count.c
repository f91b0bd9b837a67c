/* A QEMU plug-in (interface version 1) that counts a program's instructions by thread.
 *
 * It writes the sum whenever the program closes the invalid file descriptor -1000, and at the end.
 * QEMU exports these functions to plug-ins; Debian does not package their header.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct block;

size_t qemu_plugin_tb_n_insns(const struct block *block);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, struct block *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct block *block, void (*run)(unsigned, void *), int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(
    plugin_id id, void (*called)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                 uint64_t, uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id, void *), void *data);

int qemu_plugin_version = 1;

enum { THREADS = 256, CLOSE = 57, MARK = -1000 };

static uint64_t counted[THREADS];

static void run(unsigned thread, void *instructions) { counted[thread % THREADS] += (uintptr_t)instructions; }

static void translated(plugin_id id, struct block *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, run, 0, (void *)qemu_plugin_tb_n_insns(block));
}

static void write_sum(void) {
    uint64_t sum = 0;
    for (int thread = 0; thread < THREADS; thread++)
        sum += counted[thread];
    fprintf(stderr, "instructions %" PRIu64 "\n", sum);
}

static void called(plugin_id id, unsigned thread, int64_t number, uint64_t first, uint64_t b, uint64_t c, uint64_t d,
                   uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)thread, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == CLOSE && (int32_t)first == MARK)
        write_sum();
}

static void ended(plugin_id id, void *data) {
    (void)id, (void)data;
    write_sum();
}

__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}

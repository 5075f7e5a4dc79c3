#include "judge/user_start.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define IGNORED 0x6000000d /* an entry that the loader does not know, among those for its own system */

#if defined(__x86_64__)
#define CHOOSES R_X86_64_IRELATIVE
#elif defined(__aarch64__)
#define CHOOSES R_AARCH64_IRELATIVE
#else
#define CHOOSES 0
#endif

/* The file, mapped. */
struct module {
    unsigned char *bytes;
    size_t count;
};

/* A part of the file; NULL where it is not whole. */
static void *part(const struct module *module, uint64_t offset, uint64_t bytes)
{
    return offset <= module->count && bytes <= module->count - offset ? module->bytes + offset : NULL;
}

static const Elf64_Ehdr *header(const struct module *module)
{
    const Elf64_Ehdr *head = part(module, 0, sizeof *head);
    return head && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 ? head : NULL;
}

static bool chooses(const struct module *module, const Elf64_Shdr *section)
{
    const unsigned char *bytes = part(module, section->sh_offset, section->sh_size);
    for (uint64_t at = 0; bytes && section->sh_type == SHT_DYNSYM && at + sizeof(Elf64_Sym) <= section->sh_size;
         at += sizeof(Elf64_Sym)) {
        const Elf64_Sym *symbol = (const void *)(bytes + at);
        if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC && symbol->st_shndx != SHN_UNDEF)
            return true;
    }
    for (uint64_t at = 0; bytes && section->sh_type == SHT_RELA && at + sizeof(Elf64_Rela) <= section->sh_size;
         at += sizeof(Elf64_Rela)) {
        const Elf64_Rela *place = (const void *)(bytes + at);
        if (ELF64_R_TYPE(place->r_info) == CHOOSES)
            return true;
    }
    return !bytes && section->sh_type != SHT_NOBITS && section->sh_size > 0;
}

/* Whether the loader has to call a function to know another's address. */
static bool any_chooses(const struct module *module)
{
    const Elf64_Ehdr *head = header(module);
    const Elf64_Shdr *sections = part(module, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
    bool is_any = !sections || head->e_shnum == 0;
    for (unsigned i = 0; !is_any && i < head->e_shnum; i++)
        is_any = chooses(module, &sections[i]);
    return is_any;
}

static void take_entry(Elf64_Dyn *entry, struct user_start *start)
{
    switch (entry->d_tag) {
    case DT_INIT:
        start->function = entry->d_un.d_ptr;
        break;
    case DT_INIT_ARRAY:
        start->functions = entry->d_un.d_ptr;
        break;
    case DT_INIT_ARRAYSZ:
        start->count = entry->d_un.d_val / sizeof(void (*)(void));
        break;
    case DT_PREINIT_ARRAY:
    case DT_FINI:
    case DT_FINI_ARRAY:
        break;
    default:
        return;
    }
    entry->d_tag = IGNORED;
}

static bool take_all(const struct module *module, struct user_start *start)
{
    const Elf64_Ehdr *head = header(module);
    const Elf64_Phdr *segments = part(module, head->e_phoff, (uint64_t)head->e_phnum * sizeof *segments);
    for (unsigned i = 0; segments && i < head->e_phnum; i++) {
        if (segments[i].p_type != PT_DYNAMIC)
            continue;
        Elf64_Dyn *entries = part(module, segments[i].p_offset, segments[i].p_filesz);
        size_t count = segments[i].p_filesz / sizeof *entries;
        for (size_t e = 0; entries && e < count && entries[e].d_tag != DT_NULL; e++)
            take_entry(&entries[e], start);
        return entries != NULL;
    }
    return false;
}

enum status user_start_take(const char *path, struct user_start *start, struct error *error)
{
    struct stat facts;
    struct module module = {.bytes = MAP_FAILED};
    int file = open(path, O_RDWR | O_CLOEXEC);
    enum status status = STATUS_OK;
    memset(start, 0, sizeof *start);
    if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0) {
        module.count = (size_t)facts.st_size;
        module.bytes = mmap(NULL, module.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    const bool is_module = module.bytes != MAP_FAILED && header(&module);
    if (is_module && any_chooses(&module))
        status = fail(error, STATUS_UNAVAILABLE,
                      "it chooses functions as it is loaded (ifunc, target_clones), and is not loaded here");
    else if (!is_module || !take_all(&module, start))
        status = fail(error, STATUS_UNAVAILABLE, "what the compiler made is not a module");
    if (module.bytes != MAP_FAILED)
        munmap(module.bytes, module.count);
    if (file >= 0)
        close(file);
    return status;
}

static void run_at(uintptr_t address)
{
    static char name[] = "uskor";
    char *arguments[] = {name, NULL};
    void (*function)(int count, char **arguments, char **environment);
    memcpy(&function, &address, sizeof function);
    function(1, arguments, environ);
}

void user_start_run(const struct user_start *start, const void *symbol)
{
    Dl_info facts;
    struct link_map *map = NULL;
    if (!dladdr1(symbol, &facts, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return;
    if (start->function)
        run_at(map->l_addr + start->function);
    for (size_t i = 0; start->functions && i < start->count; i++) {
        uintptr_t address;
        memcpy(&address, (const void *)(map->l_addr + start->functions + i * sizeof address), sizeof address);
        run_at(address);
    }
}

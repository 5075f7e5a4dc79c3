#include "explain/compiled/host_symbols.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elf.h"
#include "base/own_program.h"

/* The loader lists the program itself first. Its name is not used: it may no longer lead to the file. */
static int first_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

static enum status find_file(const void *address, struct host_symbols *symbols, struct error *error)
{
    Dl_info info;
    uintptr_t program = 0;
    struct link_map *map = NULL;
    dl_iterate_phdr(first_base, &program);
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return fail(error, STATUS_UNAVAILABLE, "the program's own code is in no file");
    symbols->base = map->l_addr;
    snprintf(symbols->path, sizeof symbols->path, "%s", info.dli_fname);
    /* Other programs need the path: their /proc/self/exe differs. */
    if (map->l_addr == program && !own_program_name(symbols->path, sizeof symbols->path))
        symbols->path[0] = '\0';
    return STATUS_OK;
}

static enum status map_file(struct host_symbols *symbols, struct error *error)
{
    struct stat about;
    int file = open(symbols->path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > (off_t)sizeof(Elf64_Ehdr)) {
        symbols->file_bytes = (size_t)about.st_size;
        symbols->file = mmap(NULL, symbols->file_bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (symbols->file == MAP_FAILED)
            symbols->file = NULL;
    }
    if (file >= 0)
        close(file);
    return symbols->file ? STATUS_OK
                         : fail(error, STATUS_UNAVAILABLE, "%s: the program's own file cannot be read", symbols->path);
}

static int by_address(const void *a, const void *b)
{
    const struct host_symbol *one = a, *other = b;
    return one->address < other->address ? -1 : one->address > other->address;
}

static enum status read_symbols(struct host_symbols *symbols, struct error *error)
{
    struct elf_image image;
    struct elf_part table, names;
    size_t at = 0;
    Elf64_Sym symbol;
    if (!elf_open(symbols->file, symbols->file_bytes, &image) || !elf_symbols(&image, false, &at, &table, &names))
        return fail(error, STATUS_UNAVAILABLE, "the program has no table of symbols: it was stripped");
    size_t count = table.bytes / sizeof symbol;
    symbols->items = calloc(count + 1, sizeof *symbols->items);
    if (!symbols->items)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu symbols", count);
    for (size_t i = 0; elf_symbol(table, i, &symbol); i++) {
        int type = ELF64_ST_TYPE(symbol.st_info);
        if ((type == STT_FUNC || type == STT_OBJECT) && symbol.st_size > 0)
            symbols->items[symbols->count++] = (struct host_symbol){elf_text(names, symbol.st_name), symbol.st_value,
                                                                    symbol.st_size, type == STT_FUNC};
    }
    qsort(symbols->items, symbols->count, sizeof *symbols->items, by_address);
    return STATUS_OK;
}

enum status host_symbols_open(const void *address, struct host_symbols *symbols, struct error *error)
{
    *symbols = (struct host_symbols){.count = 0};
    enum status status = find_file(address, symbols, error);
    if (status == STATUS_OK)
        status = map_file(symbols, error);
    if (status == STATUS_OK)
        status = read_symbols(symbols, error);
    if (status != STATUS_OK)
        host_symbols_close(symbols);
    return status;
}

void host_symbols_close(struct host_symbols *symbols)
{
    free(symbols->items);
    if (symbols->file)
        munmap(symbols->file, symbols->file_bytes);
    *symbols = (struct host_symbols){.count = 0};
}

const struct host_symbol *host_symbol_at(const struct host_symbols *symbols, uint64_t address)
{
    size_t from = 0, to = symbols->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (symbols->items[middle].address <= address)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0)
        return NULL;
    const struct host_symbol *found = &symbols->items[from - 1];
    return address < found->address + found->bytes ? found : NULL;
}

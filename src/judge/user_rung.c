#include "judge/user_rung.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/size.h"
#include "base/temporary_folder.h"
#include "base/translation.h"
#include "base/visible.h"
#include "base/write_whole.h"
#include "judge/user_adapter.h"
#include "judge/user_c_header.h"
#include "judge/user_code.h"
#include "judge/user_cxx.h"
#include "judge/user_device_part.h"
#include "judge/user_entry.h"
#include "judge/user_file.h"
#include "judge/user_header.h"
#include "judge/user_includes.h"
#include "judge/user_kernel.h"
#include "judge/user_launch.h"
#include "judge/user_meaning.h"
#include "judge/user_module.h"
#include "judge/user_signature.h"
#include "judge/user_words.h"
#include "kernels/rung_header.h"
#include "kernels/scope.h"
#include "lab/verification/process_state.h"

/* The process has at most one user's rung. */
static struct {
    const struct kernel *kernel;
    char path[USER_PATH_MAX], name[RUNG_NAME_MAX], hash[65];
    int descriptor;    /* of the text that a device compiles, or of the module; children have it, too */
    char content[160]; /* its path: "/proc/self/fd/N" */
    char entry[64], type[16];
    char requires[1032]; /* of a C file: "+" if it has an adapter, and conditions and reasons, a line each */
    enum element_type element;
    struct rung module_rung; /* for a C file */
    struct rung *device_rung;
    enum status (*inner_prepare)(struct run *run, struct error *error);
    bool is_loaded;                 /* its module is, in this process */
    struct temporary_folder folder; /* of a file for a device: where its driver compiles it */
} user;

/* ---- the file ------------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* ---- the rung ------------------------------------------------------------------------------------------------- */

static void tell_hash(struct run *run)
{
    snprintf(run->detail, sizeof run->detail, "sha256 %.12s", user.hash);
}

/* Opens the module. The first time its constructors run: what they leave behind would be taken for the process's own
 * from then on. */
static enum status load_module(void (**function)(void), struct error *error)
{
    const char *called = user.requires[0] == '+' ? USER_ADAPTER_NAME : user.entry;
    const bool is_first = !user.is_loaded;
    if (is_first)
        process_state_note();
    enum status status =
        user_module_open(user.content, user.path, called, user.kernel->plain->prototype, function, error);
    if (status != STATUS_OK || !is_first)
        return status;
    user.is_loaded = true;
    status = process_state_check(true, error);
    return status == STATUS_OK ? STATUS_OK : fail_in(error, status, "%s, when it was loaded", user.name);
}

static enum status prepare_module(struct run *run, struct error *error)
{
    void (*function)(void);
    enum status status = load_module(&function, error);
    memcpy(&run->state, &function, sizeof run->state);
    tell_hash(run);
    return status;
}

static enum status enqueue_module(struct run *run, struct error *error)
{
    (void)error;
    void (*function)(void);
    memcpy(&function, &run->state, sizeof function);
    user.kernel->plain->call(run, function);
    return STATUS_OK;
}

static enum status prepare_device(struct run *run, struct error *error)
{
    enum status status = user.inner_prepare(run, error);
    if (status == STATUS_OK)
        tell_hash(run);
    return status;
}

/* The reason of the first condition that the problem does not meet. */
static const char *unmet(const struct problem *problem, char *reason, size_t size)
{
    struct scope scope = {.problem = problem};
    struct error error;
    for (const char *line = user.requires + (user.requires[0] == '+'); *line;) {
        char condition[160];
        size_t length = strcspn(line, "\n"), comma = strcspn(line, ",");
        double value = 0;
        snprintf(condition, sizeof condition, "%.*s", (int)comma, line);
        if (scope_real(&scope, condition, &value, &error) != STATUS_OK || value == 0) {
            snprintf(reason, size, "%.*s", (int)(length > comma + 2 ? length - comma - 2 : 0), line + comma + 2);
            return reason;
        }
        line += length + (line[length] == '\n');
    }
    return NULL;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    const struct plain_signature *signature = user.kernel->plain;
    if (user.module_rung.name[0] && problem->type != user.element) {
        explain(reason, size, "it is compiled for %s", element_info(user.element)->name);
        return reason;
    }
    if (user.module_rung.name[0] && element_is_half(problem->type) && signature->no_halves)
        return signature->no_halves;
    const char *refused = signature && signature->refuses ? signature->refuses(problem) : NULL;
    return refused ? refused : unmet(problem, reason, size);
}

static const struct rung *make_module_rung(void)
{
    const struct plain_signature *signature = user.kernel->plain;
    struct rung *rung = &user.module_rung;
    *rung = (struct rung){
        .kind = RUNG_HOST,
        .backends = BACKEND_CPU,
        .supports = supports,
        .scratch = signature->scratch,
        .varies = true,
        .scales_output = signature->output_factor != NULL,
        .prepare = prepare_module,
        .enqueue = enqueue_module,
    };
    strcpy(rung->name, user.name);
    strcpy(rung->idea, N_("a user's own"));
    snprintf(rung->bound, sizeof rung->bound, "%s", signature->bound);
    if (user.element < ELEMENT_TYPE_COUNT) /* also one that few rungs know */
        snprintf(rung->takes, sizeof rung->takes, "%s", element_info(user.element)->name);
    return rung;
}

/* A copy of one of the project's rungs names that rung in its header, and uses its host half. */
static const struct rung *find_host_half(const char *text, bool has_header)
{
    const struct plain_signature *signature = user.kernel->plain;
    char name[RUNG_NAME_MAX];
    const struct rung *half = has_header && user_header_name(text, name) ? kernel_host_half(user.kernel, name) : NULL;
    return half ? half : signature ? signature->host_half : NULL;
}

static bool has_output_factor(const struct device_source *source, const char *factor)
{
    for (size_t i = 0; factor && i < source->argument_count; i++)
        if (strstr(source->arguments[i], factor))
            return true;
    return false;
}

/* `text` must outlive the rung. */
static enum status make_device_rung(const char *text, bool has_header, const struct rung **rung, struct error *error)
{
    enum status status =
        device_rung_read(user.kernel, user.path, text, find_host_half(text, has_header), &user.device_rung, error);
    if (status != STATUS_OK)
        return status;
    strcpy(user.device_rung->name, user.name);
    user.device_rung->varies = true;
    user.inner_prepare = user.device_rung->prepare;
    user.device_rung->prepare = prepare_device;
    if (!has_header) {
        user.device_rung->supports = supports;
        user.device_rung->scales_output =
            has_output_factor(user.device_rung->source, user.kernel->plain->output_factor);
    }
    *rung = user.device_rung;
    return STATUS_OK;
}

static void name_content(int descriptor)
{
    user.descriptor = descriptor;
    snprintf(user.content, sizeof user.content, "/proc/self/fd/%d", descriptor);
}

/* Keeps the bytes for this process's children. */
static bool keep(int descriptor, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (descriptor < 0 || (text && (!write_whole(descriptor, text, length) || !user_file_seal(descriptor))))
        return false;
    name_content(descriptor);
    return true;
}

/* The byte order mark of UTF-8 that some editors write; compilers of devices do not read it. */
static void drop_mark(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (strncmp(text, mark, strlen(mark)) == 0)
        memmove(text, text + strlen(mark), strlen(text + strlen(mark)) + 1);
}

/* Rewrites OpenCL C with the keywords that every device's prelude defines. */
static enum status translate_words(const char *path, char **text, struct error *error)
{
    char *translated = user_words_translate(*text);
    if (!translated)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    free(*text);
    *text = translated;
    return STATUS_OK;
}

/* The only kernel of a file is its entry, whatever it is called, and serves the types of its parameters. */
static bool complete_header(const char *path, char **text)
{
    struct user_kernel kernel;
    struct error unused;
    char arguments[512], required[512] = "", lines[640] = "";
    int meaning[USER_PARAMETERS_MOST];
    if (user_kernel_find(*text, ends_in(path, ".cu"), NULL, user.kernel->name, &kernel, &unused) == STATUS_OK) {
        if (user.kernel->plain)
            user_meaning_match(&kernel, user.kernel->plain, meaning);
        if (!user.kernel->plain ||
            user_meaning_arguments(&kernel, user.kernel->plain, meaning, arguments, required, &unused) != STATUS_OK)
            required[0] = '\0';
        snprintf(lines, sizeof lines, "// entry:   %s\n%s", kernel.name, required);
    }
    return user_header_complete(text, lines, path);
}

/* The options with the entry that the file's own launch names, where it has several kernels and launches one of them.
 */
static struct user_rung_options with_entry(const char *text, const struct user_rung_options *options, char name[64])
{
    struct user_rung_options own = *options;
    char *code = options->entry ? NULL : user_code_blank(text, false);
    if (code && user_launch_only(code, name))
        own.entry = name;
    free(code);
    return own;
}

/* Leaves out the host code of a file in CUDA C. */
static enum status take_device_part(const char *path, const struct user_rung_options *options, bool has_header,
                                    char **text, struct user_device_part *part, struct error *error)
{
    struct user_kernel kernel;
    enum status status = STATUS_OK;
    if (!has_header)
        status = user_kernel_find(*text, true, options->entry, user.kernel->name, &kernel, error);
    return status == STATUS_OK ? user_device_part_take(text, path, has_header ? NULL : &kernel, part, error)
                               : fail_in(error, status, "%s", path);
}

/* A file without a header takes its requirements from the options, or from assumptions. */
static enum status add_header(const char *path, const struct user_rung_options *options, const char *whole,
                              const char *left_out, const char *requires, char **text, char assumed[1024],
                              struct error *error)
{
    const struct user_source source = {
        .signature = user.kernel->plain,
        .kernel_name = user.kernel->name,
        .path = path,
        .is_cuda = ends_in(path, ".cu"),
        .whole = whole,
        .left_out = left_out,
        .requires = requires,
    };
    return user_header_assume(&source, options, text, assumed, error);
}

/* In the words that the devices' compilers have; with a header. */
static enum status complete(const char *path, const struct user_rung_options *given, const char *requires, char **text,
                            bool has_header, char assumed[1024], struct error *error)
{
    char launched[64], *whole = strdup(*text);
    struct user_device_part part = {.left_out = ""};
    bool is_cuda = ends_in(path, ".cu");
    const struct user_rung_options options = is_cuda ? with_entry(*text, given, launched) : *given;
    enum status status = whole ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    if (status == STATUS_OK && !has_header && !user.kernel->plain)
        status = fail(error, STATUS_INVALID, "%s: a file for %s needs a header (docs/adding-a-rung.md)", path,
                      user.kernel->name);
    if (status == STATUS_OK)
        status = is_cuda ? take_device_part(path, &options, has_header, text, &part, error)
                         : translate_words(path, text, error);
    if (status == STATUS_OK && has_header && !complete_header(path, text))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    if (status == STATUS_OK && !has_header)
        status = add_header(path, &options, whole, part.left_out, requires, text, assumed, error);
    free(whole);
    return status;
}

static enum status read_device_file(const char *path, const struct user_rung_options *options, struct user_rung *made,
                                    struct error *error)
{
    char *text;
    enum status status = user_file_read(path, &text, error);
    if (status != STATUS_OK)
        return status;
    drop_mark(text);
    status = user_includes_put(&text, path, error);
    user_file_hash(text, user.hash);
    const bool is_short = user_header_is_short(text) && user.kernel->plain;
    const bool has_header =
        user_header_exists(text) && !is_short && !options->arguments && !options->group && !options->groups;
    struct user_c_header header;
    struct user_rung_options own = *options;
    if (status == STATUS_OK && is_short)
        status = user_c_header_read(path, text, user.kernel, true, options, &header, &own, error);
    if (status == STATUS_OK)
        status = complete(path, &own, is_short ? header.requires : NULL, &text, has_header, made->assumed, error);
    strcpy(user.type, has_header ? "header" : "plain");
    if (status == STATUS_OK && !keep(memfd_create("uskor-kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING), text))
        status = fail(error, STATUS_SYSTEM, "%s: there is no room for a copy of it", path);
    if (status == STATUS_OK)
        status = temporary_folder_make(FOLDER_MODULE, &user.folder, error); /* removed as the program ends */
    if (status == STATUS_OK)
        status = make_device_rung(text, has_header, &made->rung, error);
    if (status != STATUS_OK)
        free(text);
    return status;
}

/* The function that is called, the type of its elements, and how it is called, as far as the text tells them. */
static enum status choose_function(const char *text, const char *path, enum element_type type,
                                   const struct user_rung_options *options, struct user_adapter *adapter,
                                   char assumed[1024], struct error *error)
{
    const char *usual = user.kernel->name;
    *adapter = (struct user_adapter){.code = ""};
    snprintf(user.entry, sizeof user.entry, "%s", options->entry ? options->entry : usual);
    enum status status = options->entry ? STATUS_OK : user_entry_choose(text, type, user.kernel, user.entry, error);
    user.element = user_signature_type(text, user.entry, type, user.kernel);
    snprintf(user.type, sizeof user.type, "%s", element_info(user.element)->name);
    if (status == STATUS_OK && user_entry_is_seen(text, user.entry))
        status =
            user_adapter_make(text, user.entry, user.element, options->arguments, user.kernel->plain, adapter, error);
    if (status != STATUS_OK)
        return status;
    if (adapter->code[0]) {
        explain(assumed, 1024, "%s is called by its own parameters. Assumed: entry: %s; args: %s", path, user.entry,
                adapter->arguments);
    } else if (strcmp(user.entry, usual) != 0 && !options->entry)
        explain(assumed, 1024, "%s has no function '%s'. Assumed: entry: %s", path, usual, user.entry);
    return STATUS_OK;
}

/* A file in C++ has many errors as C, and none of them says why. */
static void name_cxx(const char *text, const char *path, struct error *error)
{
    char word[40];
    size_t line = user_cxx_line(text, word);
    struct error own = *error;
    if (line)
        fail(error, STATUS_INVALID, "%s: line %zu is C++ (%s), and a file that ends in .c is compiled as C\n%s", path,
             line, word, own.text);
}

/* Compile errors come before what is wrong with the parameters. */
static enum status read_c_file(const char *path, enum element_type type, const struct user_rung_options *options,
                               struct user_rung *made, struct error *error)
{
    char *text;
    int module = -1;
    struct user_adapter adapter;
    struct error unfit;
    if (!user.kernel->plain)
        return fail(error, STATUS_INVALID, "%s: %s takes no functions in C", path, user.kernel->name);
    enum status status = user_file_read(path, &text, error), fits = STATUS_OK;
    if (status != STATUS_OK)
        return status;
    user_file_hash(text, user.hash);
    struct user_c_header header;
    struct user_rung_options own;
    status = user_includes_check(path, error);
    if (status == STATUS_OK)
        status = user_c_header_read(path, text, user.kernel, false, options, &header, &own, error);
    if (status != STATUS_OK) {
        free(text);
        return status;
    }
    fits = choose_function(text, path, type, &own, &adapter, made->assumed, &unfit);
    snprintf(user.requires, sizeof user.requires, "%s%s%s", adapter.code[0] ? "+" : "", adapter.requires,
             header.requires);
    user_meaning_require(user_signature_lacking(text, user.entry, user.kernel), user.requires, sizeof user.requires);
    status =
        user_module_compile(path, user.element, fits == STATUS_OK ? adapter.code : "", &module, made->compiler, error);
    if (status == STATUS_INVALID)
        name_cxx(text, path, error);
    free(text);
    if (status == STATUS_OK && fits != STATUS_OK) {
        *error = unfit;
        status = fail_in(error, fits, "%s", path);
    }
    if (status == STATUS_OK && !keep(module, NULL))
        status = fail(error, STATUS_SYSTEM, "%s: there is no room for what the compiler made", path);
    if (status == STATUS_OK)
        made->rung = make_module_rung();
    return status;
}

/* What reading, compiling and running it needs of the system. */
static enum status require_system(const char *path, struct error *error)
{
    static const char *const needed[] = {"/proc/self/fd", "/dev/null"};
    for (size_t i = 0; i < COUNT_OF(needed); i++)
        if (access(needed[i], R_OK) != 0)
            return fail(error, STATUS_UNAVAILABLE, "%s: a user's file needs %s, which is not here", path, needed[i]);
    return STATUS_OK;
}

enum status user_rung_read(const struct kernel *kernel, const char *path, enum element_type type,
                           const struct user_rung_options *options, struct user_rung *made, struct error *error)
{
    memset(made, 0, sizeof *made);
    if (strlen(path) >= sizeof user.path)
        return fail(error, STATUS_INVALID, "%.100s: a rung's file has a path of at most %zu bytes", path,
                    sizeof user.path - 1);
    user.kernel = kernel;
    user.element = type;
    strcpy(user.path, path);
    visible_copy(base_name(path), user.name, sizeof user.name); /* shown; a long name is cut */
    enum status status = require_system(path, error);
    if (status != STATUS_OK)
        return status;
    status = STATUS_INVALID;
    if (ends_in(path, ".c"))
        status = read_c_file(path, type, options, made, error);
    else if (ends_in(path, ".cl") || ends_in(path, ".cu"))
        status = read_device_file(path, options, made, error);
    else
        fail(error, STATUS_INVALID, "%s: a rung's file ends in .cl (OpenCL C), .cu (CUDA C) or .c (C)", path);
    if (status == STATUS_OK)
        status = kernel_add_rung(kernel, made->rung, error);
    strcpy(made->path, user.path);
    visible_make(made->compiler, sizeof made->compiler);
    strcpy(made->hash, user.hash);
    made->type = user.element;
    return status;
}

/* A file of its own: a disassembler, which has no other of this process's files, reads it, too. */
static bool copy_module(const char *folder)
{
    struct stat facts;
    char path[sizeof user.content];
    bool is_copied =
        fstat(user.descriptor, &facts) == 0 && snprintf(path, sizeof path, "%s/module.so", folder) < (int)sizeof path;
    int to = is_copied ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    for (off_t at = 0; to >= 0 && is_copied && at < facts.st_size;)
        is_copied = sendfile(to, user.descriptor, &at, (size_t)(facts.st_size - at)) > 0;
    if (to >= 0)
        close(to);
    strcpy(user.content, path);
    return to >= 0 && is_copied;
}

enum status user_rung_lay_out(const char *folder, struct error *error)
{
    return !user.module_rung.name[0] || copy_module(folder)
               ? STATUS_OK
               : fail(error, STATUS_SYSTEM, "%s: there is no room for what the compiler made", folder);
}

enum status user_rung_code(const void **code, struct error *error)
{
    void (*function)(void);
    *code = NULL;
    if (!user.module_rung.name[0])
        return STATUS_OK;
    enum status status =
        user_module_open(user.content, user.path, user.entry, user.kernel->plain->prototype, &function, error);
    user.is_loaded = status == STATUS_OK;
    if (status == STATUS_OK)
        memcpy(code, &function, sizeof *code);
    return status;
}

/* ---- children ------------------------------------------------------------------------------------------------- */

const char *const *user_rung_arguments(void)
{
    static const char *arguments[10];
    static char descriptor[16];
    if (!user.kernel || !user.content[0])
        return NULL;
    snprintf(descriptor, sizeof descriptor, "%d", user.descriptor);
    const char *const all[] = {"user-rung", user.kernel->name, user.path,     descriptor,       user.hash,
                               user.entry,  user.type,         user.requires, user.folder.path, NULL};
    memcpy(arguments, all, sizeof all);
    return arguments;
}

const char *user_rung_name(void)
{
    return user.name;
}

bool user_rung_is_module(void)
{
    return user.entry[0] != '\0';
}

const char *user_rung_folder(void)
{
    return user.folder.path;
}

int user_rung_descriptor(void)
{
    return user.descriptor;
}

enum status user_rung_take(int argc, char **argv, struct error *error)
{
    const struct rung *rung;
    char *text;
    if (argc < 9 || strcmp(argv[0], "user-rung") != 0)
        return STATUS_OK;
    user.kernel = kernel_by_name(argv[1], error);
    if (!user.kernel)
        return STATUS_INVALID;
    snprintf(user.path, sizeof user.path, "%s", argv[2]);
    visible_copy(base_name(argv[2]), user.name, sizeof user.name);
    name_content((int)strtol(argv[3], NULL, 10));
    snprintf(user.hash, sizeof user.hash, "%s", argv[4]);
    snprintf(user.entry, sizeof user.entry, "%s", argv[5]);
    snprintf(user.requires, sizeof user.requires, "%s", argv[7]);
    snprintf(user.folder.path, sizeof user.folder.path, "%s", argv[8]);
    enum status status = STATUS_OK;
    if (user.entry[0]) {
        user.element = element_by_name(argv[6]);
        rung = make_module_rung();
    } else {
        status = user_file_read(user.content, &text, error);
        if (status == STATUS_OK)
            status = make_device_rung(text, strcmp(argv[6], "header") == 0, &rung, error);
    }
    return status == STATUS_OK ? kernel_add_rung(user.kernel, rung, error) : status;
}
